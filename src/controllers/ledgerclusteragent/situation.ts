import { usualOverlap } from '../../api/ledgerclusteragent.ts'
import { days, minutes, spanOf } from '../../pure/duration.ts'
import { type Generation, generationOf } from '../../pure/generation.ts'
import type { Consumer, Course, Situation } from '../../pure/generations.ts'
import { type KeyState, keyStateOf } from '../../pure/key-rollout.ts'
import { agentNames, rotateAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, printKey } from '../../pure/object.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { isRemembered } from '../../pure/revoked-keys.ts'
import { type Observed, outOfScopeNamespacesOf, type SeenConsumer } from './observed.ts'
import { isOurs, ownRelicsOf, type Sound, soundly } from './ownership.ts'

/** A generation's Secret, with the key that it holds and what its marks say. */
export interface SoundGeneration extends Sound {
  readonly generation: Generation
}

/** All keys of an agent, and where they are going. */
export interface Keys {
  readonly held: readonly SoundGeneration[]
  readonly course: Course
}

const longestOverlap = days(36_500)
// The CRD says so too; an agent that was stored before may say less.
const shortestAge = minutes(60)
/** How many keys of an agent services accept at most because of rotations: each is a file in every key list. */
const mostKeys = 8

/** What somebody last asked to have the key exchanged with. */
export const rotationRequestOf = ({ object }: Pick<Observed, 'object'>): string | undefined =>
  object.metadata.annotations?.[rotateAnnotation]?.trim() || undefined

/** No time at all is no age to wait for. */
const ageOf = (every: string): number | undefined => {
  const age = spanOf(every) ?? 0
  return age === 0 ? undefined : Math.max(age, shortestAge)
}

/** Where the agent's keys stand, as far as the next steps depend on it. */
export const situationOf = (observed: Observed, held: readonly SoundGeneration[]): Situation => {
  const { every = '', overlap = usualOverlap } = observed.object.spec?.rotation ?? {}
  const keyIds = held.map(({ key }) => key.keyId)
  return {
    generations: held.map(({ generation }) => generation),
    request: rotationRequestOf(observed),
    every: ageOf(every),
    mostKeys,
    // Later than this is never, and no date.
    overlap: Math.min(spanOf(overlap) ?? longestOverlap, longestOverlap),
    revocations: revocationsOf(observed.object),
    consumers: consumersAmong(observed, keyIds),
    carriers: carriersOf(observed),
    now: observed.now,
  }
}

const consumersAmong = ({ matched, consumers }: Observed, keyIds: readonly string[]): readonly Consumer[] => [
  ...consumers.map((consumer) => ({
    name: printKey(consumer.service),
    isServed: consumer.isServed,
    keys: statesOf(consumer, keyIds),
  })),
  // Who does not know which services there are waits for all of them.
  ...('fault' in matched ? [{ name: 'those that spec.selector is meant to match', isServed: true, keys: {} }] : []),
]

const statesOf = (consumer: SeenConsumer, keyIds: readonly string[]): Consumer['keys'] =>
  Object.fromEntries(
    keyIds.flatMap((keyId) => {
      const state = keyStateOf(keyId, consumer) ?? stateToldOf(keyId, consumer)
      return state === undefined ? [] : [[keyId, state]]
    }),
  )

/** Where we see no workload, the service may see its pods. */
const stateToldOf = (keyId: string, { workload, told }: SeenConsumer): KeyState | undefined =>
  workload === undefined && told.has(keyId) ? 'Draining' : undefined

/** Copies that people work with: a canonical Secret elsewhere is none, and what is going is not waited for. */
const carriersOf = (observed: Observed): Situation['carriers'] => {
  const agent = observed.object.metadata.name
  const early = ownRelicsOf(observed).filter(({ metadata }) => metadata.name === agentNames.earlyReplica(agent))
  const copies = [...observed.replicas.values(), ...early].filter((copy) => !isTerminating(copy))
  const sound = copies.filter((copy) => isOurs(copy, agent)).flatMap(soundly)
  const byKey = Map.groupBy(sound, ({ key }) => key.keyId)
  const unread = copies.filter(({ key }) => 'unknown' in key).map((copy) => printKey(keyOf(copy)))
  return {
    of: Object.fromEntries(
      [...byKey].map(([keyId, held]) => [keyId, held.map(({ secret }) => printKey(keyOf(secret)))]),
    ),
    unknown: [...unread, ...outOfScopeNamespacesOf(observed)],
  }
}

/** A Secret's marks, read for the key that it holds. */
export const generationIn = (agent: string, { secret, key }: Sound): readonly SoundGeneration[] => {
  const generation = generationOf(agent, secret.metadata, key.keyId)
  return generation === undefined ? [] : [{ secret, key, generation }]
}

/** Whether there is a key of this id, or was. */
export const isExplained = (keyId: string, held: readonly SoundGeneration[]): boolean =>
  held.some(
    ({ generation }) =>
      generation.keyId === keyId ||
      generation.lineage.some((one) => one.keyId === keyId) ||
      isRemembered(keyId, [generation]),
  )
