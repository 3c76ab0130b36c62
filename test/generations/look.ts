import { type Generation, requestMark } from '../../src/pure/generation.ts'
import { type Consumer, type courseOf, type isListable, type Move, type Situation } from '../../src/pure/generations.ts'
import { type Consumption, keyStateOf, type Workload } from '../../src/pure/key-rollout.ts'
import { keysRevisionAnnotation, serviceNames } from '../../src/pure/names.ts'
import { has, type KeySet, keysIn, type Service, setOf, type Stored, type World, type Write } from './world.ts'

/** The functions that are explored. */
export interface Protocol {
  readonly courseOf: typeof courseOf
  readonly isListable: typeof isListable
}

/** How long things take, in ticks. */
export interface Times {
  readonly every: number | undefined
  readonly overlap: number
  /** Beyond how many accepted keys no other is made because it is asked for; absent: as many as there may be. */
  readonly mostKeys?: number
}

const now = 1000

export const keyIdOf = (key: number): string => `k${key}`
const keyOfId = (keyId: string): number => Number(keyId.slice(1))

const marks = new Map(['r1', 'r2'].map((request) => [request, requestMark(request)]))

const generationOf = (stored: Stored): Generation => ({
  number: stored.number,
  keyId: keyIdOf(stored.key),
  uid: keyIdOf(stored.key),
  // In the order in which they were made.
  madeAt: stored.key,
  request: stored.request === undefined ? undefined : marks.get(stored.request),
  lineage: stored.lineage,
  currentSince: stored.isPromoted || stored.lineage.length === 0 ? now - stored.age : undefined,
  // Nobody puts a Secret back here.
  succeeds: undefined,
  retiredUid: undefined,
  retiresAt: stored.retiresIn === undefined ? undefined : now + stored.retiresIn,
  revokedAt: stored.isRevoked ? now : undefined,
  droppedAt: stored.isDropped ? now : undefined,
  revokedKeys: keysIn(stored.remembered).map((key) => ({ keyId: keyIdOf(key), revokedAt: now, droppedAt: now })),
  isEnding: stored.isEnding,
})

/** What an operator decides as the agent's controller: the next steps with its keys, or with its copies. */
export const asAgent = (world: World, protocol: Protocol, times: Times): readonly (readonly Write[])[] => {
  // Where there was a key and no generation is left, it is searched for elsewhere.
  if (world.generations.length === 0 && world.minted > 0) return []
  const course = protocol.courseOf(situationOf(world, times))
  const servedAll = world.services.filter(({ isMatched }) => isMatched).map(({ name }) => name)
  const { current } = course
  const steps = course.moves.map((move) => {
    const isAwaited = move.is === 'promote' && current !== undefined && move.generation.keyId !== current.keyId
    return writeOf(move, isAwaited ? servedAll.join('') : undefined)
  })
  const copies =
    current === undefined
      ? []
      : world.copies.flatMap((key, place): readonly Write[] =>
          key === keyOfId(current.keyId) ? [] : [{ do: 'copy', place, key: keyOfId(current.keyId) }],
        )
  return [steps, copies]
}

const situationOf = (world: World, { every, overlap, mostKeys = Number.POSITIVE_INFINITY }: Times): Situation => {
  const carrying = (key: number) => world.copies.flatMap((one, place) => (one === key ? [`ns${place}`] : []))
  return {
    generations: world.generations.map(generationOf),
    request: world.request,
    every,
    overlap,
    mostKeys,
    revocations: keysIn(world.revocations).map(keyIdOf),
    consumers: world.services.map((service) => consumerOf(world, service)),
    carriers: {
      of: Object.fromEntries(world.generations.map(({ key }) => [keyIdOf(key), carrying(key)])),
      unknown: [],
    },
    now,
  }
}

const consumerOf = ({ generations }: World, service: Service): Consumer => {
  const consumption = consumptionOf(service)
  const states = generations.flatMap(({ key }) => {
    const state = keyStateOf(keyIdOf(key), consumption)
    return state === undefined ? [] : [[keyIdOf(key), state] as const]
  })
  return { name: service.name, keys: Object.fromEntries(states), isServed: service.isMatched }
}

/** ConfigMap and StatefulSet, as the API server would show them. */
export const consumptionOf = ({ list, isWired, pods }: Service): Consumption => {
  const stamp = { hash: `hash-${list}`, revision: 2 }
  const carried = isWired ? stamp : { hash: 'hash-of-before', revision: 1 }
  const updated = pods.filter(({ isNew }) => isNew).length
  const workload: Workload = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'ledger', uid: 'ledger', resourceVersion: '1', generation: 2 },
    spec: {
      replicas: pods.length,
      template: {
        metadata: {
          annotations: {
            [serviceNames.keysHash]: carried.hash,
            [keysRevisionAnnotation]: String(carried.revision),
          },
        },
      },
    },
    status: {
      observedGeneration: updated > 0 ? 2 : 1,
      replicas: pods.length,
      readyReplicas: pods.length,
      updatedReplicas: updated,
      currentRevision: updated === pods.length ? 'new' : 'old',
      updateRevision: 'new',
    },
  }
  return { list: { stamp, keyIds: new Set(keysIn(list).map(keyIdOf)) }, workload }
}

const writeOf = (move: Move, loadedBy: string | undefined): Write => {
  if (move.is === 'mint') {
    const { number, request, lineage, isCurrent } = move
    const ancestry = lineage.map(({ keyId }) => keyId).join('')
    return { do: 'mint', number, request, lineage, isCurrent, ancestry, remembered: setOfKeys(move.revokedKeys) }
  }
  const key = keyOfId(move.generation.keyId)
  if (move.is === 'retire') return { do: 'retire', key, inTime: move.at - now }
  if (move.is === 'remember') return { do: 'remember', key, remembered: setOfKeys(move.revokedKeys) }
  return move.is === 'promote' ? { do: 'promote', key, loadedBy } : { do: move.is, key }
}

const setOfKeys = (keys: readonly { readonly keyId: string }[]): KeySet =>
  setOf(...keys.map(({ keyId }) => keyOfId(keyId)))

/** What an operator decides as the controller of a service. */
export const asService = (world: World, service: Service, protocol: Protocol): readonly Write[] => {
  const keys = service.isMatched ? listableIn(world, protocol) : 0
  const wire = { do: 'wire', service: service.name, isLate: false } as const
  if (keys !== service.list) return [{ do: 'list', service: service.name, keys, wasMatched: service.isMatched }, wire]
  return service.isWired ? [] : [wire]
}

const listableIn = ({ generations, revocations }: World, protocol: Protocol): KeySet => {
  const all = generations.map(generationOf)
  return setOf(
    ...generations
      .filter((one) => protocol.isListable(generationOf(one), all) && !has(revocations, one.key))
      .map(({ key }) => key),
  )
}
