import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { Attack } from './attack.ts'
import { AttackedCluster, attacker } from './attacked-cluster.ts'
import { type AttackedKind, attackedKinds, type Place, places } from './fuzz-places.ts'
import { hostileValues, shuffled } from './fuzz-values.ts'
import { aPod, isRepaired, isReported, type Snapshot, snapshotOf } from './fuzzed-objects.ts'
import { pods } from './paths.ts'
import { createAgent, createService, servedAgent, untilListed } from './tenancies.ts'

let cluster: AttackedCluster
beforeAll(async () => {
  cluster = await AttackedCluster.start()
})
afterAll(() => cluster[Symbol.asyncDispose]())

const seed = 20_261_118
const sentAtOnce = 8
// Each batch makes the operator repair hundreds of objects.
const convergesWithinMs = 40_000
// Far more than a run takes that finds nothing: each fault costs a wait.
const most = 200_000

/** One service and one agent for each value, so that every value is seen and none hides another. */
const names = hostileValues.map((_, index) => `fuzz-${index}`)

/** The nth place of each of these kinds is attacked at once. A service comes alone: one that is paused repairs nothing. */
const batchesOf = (kinds: readonly AttackedKind[]) => {
  const count = Math.max(...kinds.map((kind) => places[kind].length))
  return Array.from({ length: count }, (_, number) => ({ kinds, number }))
}
const batches = [
  ...batchesOf(['replica', 'keyList', 'workload', 'service', 'serviceAccount', 'pod']),
  ...batchesOf(['ledgerService']),
]

interface Hit {
  readonly kind: AttackedKind
  readonly place: Place
  readonly name: string
  readonly value: string
}

const inPool = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: sentAtOnce }, worker))
}

const prepare = async (): Promise<Snapshot> => {
  await inPool(names, async (name) => {
    await createService(cluster.admin, { namespace: attacker, name })
    await createAgent(cluster.admin, { name, services: [name] })
    await cluster.tenant.create(pods(attacker), aPod(name))
  })
  await inPool(names, async (name) => {
    const keyId = await servedAgent(cluster.admin, { name }, convergesWithinMs)
    await untilListed(cluster.admin, { namespace: attacker, name }, keyId)
  })
  return snapshotOf(cluster.admin, names)
}

const hitsOf = ({ kinds, number }: (typeof batches)[number]): readonly Hit[] => {
  const order = shuffled(names.length, seed + number)
  return kinds.flatMap((kind) => {
    const place = places[kind][number]
    if (place === undefined) return []
    return names.map((name, index) => ({ kind, place, name, value: hostileValues[order[index] ?? 0] ?? '' }))
  })
}

const patchTypeOf = (kind: AttackedKind): string =>
  kind === 'workload' ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json'

const send = async ({ kind, place, name }: Omit<Hit, 'value'>, body: string): Promise<boolean> => {
  const account = kind === 'ledgerService' ? cluster.admin : cluster.tenant
  const path = attackedKinds[kind](name) + (place.subresource === undefined ? '' : `/${place.subresource}`)
  // What takes the server itself too long does not get there.
  const reply = await account.send('PATCH', path, body, { contentType: patchTypeOf(kind) }).catch(() => undefined)
  return reply !== undefined && reply.status < 300
}

const printHit = ({ kind, place, value }: Hit): string => `${kind}: ${place.what} = ${value.slice(0, 60)}`

const printBatch = ({ kinds, number }: (typeof batches)[number]): string =>
  kinds.flatMap((kind) => (places[kind][number] === undefined ? [] : `${kind} ${places[kind][number].what}`)).join(', ')

/** What has neither been repaired nor reported in time. */
const unsettled = async (
  hits: readonly Hit[],
  before: Snapshot,
  isEnough: typeof isReported,
): Promise<readonly Hit[]> => {
  let left = hits
  const look = async () => {
    const now = await snapshotOf(cluster.admin, names)
    left = left.filter(({ kind, name }) => {
      const [is, was] = [now.get(name)!, before.get(name)!]
      return !isRepaired(kind, is, was) && !isEnough(kind, is)
    })
    return left.length === 0
  }
  await eventually('everything is settled', look, convergesWithinMs).catch(() => undefined)
  return left
}

/** Takes back what is nobody's to repair, and deletes what the operator has reported and left. */
const undo = async (hits: readonly Hit[], before: Snapshot): Promise<void> => {
  await inPool(hits, async (hit) => {
    const isOwn = hit.kind === 'pod' || hit.kind === 'ledgerService'
    if (isOwn || hit.place.undo !== undefined) await send(hit, hit.place.undo?.(hit.name) ?? hit.place.patch('null'))
  })
  const now = await snapshotOf(cluster.admin, names)
  const left = hits.filter(({ kind, name }) => !isRepaired(kind, now.get(name)!, before.get(name)!))
  await inPool(left, ({ kind, name }) => cluster.admin.delete(attackedKinds[kind](name)))
}

test('ATK-20 hostile values in every field that a tenant can write harm nobody else', {
  timeout: most * 2,
}, async () => {
  await using attack = await Attack.begin(cluster)
  const before = await prepare()
  // How long it takes to set so much up is no part of the attack.
  await attack.healthFaults()
  const failures: string[] = []
  let [tried, refused] = [0, 0]
  const started = Date.now()
  for (const [index, batch] of batches.entries()) {
    if (Date.now() - started > most) {
      failures.push(`${batches.length - index} of ${batches.length} batches were not tried: the others took too long`)
      break
    }
    const accepted: Hit[] = []
    const hits = hitsOf(batch)
    await inPool(hits, async (hit) => {
      tried += 1
      if (await send(hit, hit.place.patch(hit.value))) accepted.push(hit)
      else refused += 1
    })
    const left = await unsettled(accepted, before, isReported)
    failures.push(...left.map((hit) => `neither repaired nor reported: ${printHit(hit)}`))
    attack.operator.mustBeAlive()
    await undo(accepted, before)
    const still = await unsettled(accepted, before, () => false)
    failures.push(...still.map((hit) => `does not converge again: ${printHit(hit)}`))
    failures.push(...(await attack.healthFaults()).map((fault) => `${printBatch(batch)}: ${fault}`))
  }
  console.log(`seed ${seed}: ${tried} pairs of place and value tried, ${refused} of them refused by the API server`)
  expect(failures).toEqual([])
  await attack.expectBystandersUnharmed()
})
