import { courseOf } from '../../pure/generations.ts'
import { keyStateOf } from '../../pure/key-rollout.ts'
import { agentNames, claimAnnotation, keyIdAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, type ObjectKey, printKey } from '../../pure/object.ts'
import {
  concernedListingsOf,
  isMarked,
  keyIdOf,
  type Observed,
  outOfScopeNamespacesOf,
  type SeenSecret,
} from './observed.ts'
import { doubtAmong, isOurs, isWrittenByUs, type Sound, soundly } from './ownership.ts'
import { generationIn, isExplained, type Keys, situationOf, type SoundGeneration } from './situation.ts'
import { type Bereft, searchForCurrent, searchForKey } from './witnesses.ts'

/** The situations that an agent's identity can be in. */
export type Stage =
  | Bereft
  | { readonly is: 'claimed-elsewhere'; readonly by: string }
  /** Our finalizer or our claim is still missing. */
  | { readonly is: 'unmarked' }
  /** It is new, and there are keys that were made for another agent of its name. */
  | { readonly is: 'keys-left'; readonly secrets: readonly ObjectKey[] }
  /** Being deleted, and these key holders are still there; whether it may go when they have gone. */
  | {
      readonly is: 'withdrawing'
      readonly copies: readonly SeenSecret[]
      /** Those of them that hold a key of this agent: it does not go before they are gone. */
      readonly awaited: readonly SeenSecret[]
      readonly generations: readonly SeenSecret[]
      readonly mayGoThen: boolean
    }
  /** Being deleted, and nothing of it is left that we may touch, but it is still in use, or may be. */
  | {
      readonly is: 'still-held'
      readonly listedBy: readonly ObjectKey[]
      /** Services that are gone, and whose pods have a key of it. */
      readonly orphans: readonly ObjectKey[]
      readonly outOfScope: readonly string[]
    }
  /** Being deleted, and nothing of it is left but our finalizer. */
  | { readonly is: 'withdrawn' }
  | { readonly is: 'invalid'; readonly secret: string; readonly fault: string }
  /** Its last key was taken back, and a new one is to be made. */
  | { readonly is: 'renewing'; readonly keys: Keys }
  | { readonly is: 'established'; readonly current: SoundGeneration; readonly keys: Keys }

export const stageOf = (observed: Observed): Stage => {
  const { object, operatorNamespace, generations, doubt } = observed
  const claim = object.metadata.annotations?.[claimAnnotation]
  if (claim !== undefined && claim !== operatorNamespace) return { is: 'claimed-elsewhere', by: claim }
  if (!isMarked(observed)) {
    const isNew = claim === undefined && !isTerminating(object)
    return isNew && observed.leftKeys.length > 0
      ? { is: 'keys-left', secrets: observed.leftKeys.map(keyOf) }
      : { is: 'unmarked' }
  }
  if (doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  if (isTerminating(object)) return withdrawalOf(observed)
  if (generations.length === 0) return searchForKey(observed)
  const unread = doubtAmong(generations)
  if (unread !== undefined) return { is: 'in-doubt', cause: unread }
  return invalidityOf(observed) ?? withKeys(observed)
}

const withdrawalOf = (observed: Observed): Stage => {
  const { object, generations, replicas, relics } = observed
  const agent = object.metadata.name
  const doubt = doubtAmong([...replicas.values(), ...relics, ...generations].filter((holder) => !isOurs(holder, agent)))
  if (doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  const own = ownKeyIdsOf(observed)
  const holdsOwnKey = (copy: SeenSecret) => soundly(copy).some(({ key }) => own.has(key.keyId))
  // With another key it is this agent's only if we wrote to it: anybody may plant one with the label.
  const copies = [...replicas.values(), ...relics].filter(
    (copy) => holdsOwnKey(copy) || isWrittenByUs(copy) || (own.size === 0 && isOurs(copy, agent)),
  )
  const keys = generations.filter((holder) => isOurs(holder, agent))
  const then = withoutHolders(observed)
  if (copies.length + keys.length === 0) return then
  const awaited = copies.filter(holdsOwnKey)
  // What is on its way out and holds no key of this agent is not waited for.
  const left = copies.filter((copy) => awaited.includes(copy) || !isTerminating(copy))
  if (left.length + keys.length === 0) return then
  return { is: 'withdrawing', copies: left, awaited, generations: keys, mayGoThen: then.is === 'withdrawn' }
}

/** The ids of all keys that this agent has or had, as far as it is known where no tenant can write. */
const ownKeyIdsOf = ({ object, generations }: Observed): ReadonlySet<string> => {
  const held = generationsAmong(object.metadata.name, generations)
  const status = object.status?.generations ?? []
  return new Set([
    ...held.flatMap(({ generation: { keyId, lineage, revokedKeys } }) => [
      keyId,
      ...[...lineage, ...revokedKeys].map((former) => former.keyId),
    ]),
    ...status.map(({ keyID }) => keyID),
    ...[keyIdOf(object) ?? []].flat(),
  ])
}

const withoutHolders = (observed: Observed): Stage => {
  // A service that is left alone would hold up the agent for as long as somebody likes.
  const listedBy = concernedListingsOf(observed)
    .filter(({ isOutOfReach }) => !isOutOfReach)
    .map(({ service }) => service)
  const own = [...ownKeyIdsOf(observed)]
  const orphans = observed.consumers
    .filter((consumer) => consumer.isOrphaned && own.some((keyId) => keyStateOf(keyId, consumer) !== undefined))
    .map(({ service }) => service)
  const outOfScope = outOfScopeNamespacesOf(observed)
  return listedBy.length + orphans.length + outOfScope.length === 0
    ? { is: 'withdrawn' }
    : { is: 'still-held', listedBy, orphans, outOfScope }
}

/** A generation that is not what it says holds up all others: nobody knows what else is not so. */
const invalidityOf = ({ object, generations }: Observed): Stage | undefined => {
  const agent = object.metadata.name
  const [invalid] = generations.flatMap((secret): readonly (Stage & { is: 'invalid' })[] => {
    const fault = faultOf(agent, secret)
    return fault === undefined ? [] : [{ is: 'invalid', secret: printKey(keyOf(secret)), fault }]
  })
  return invalid
}

const faultOf = (agent: string, secret: SeenSecret): string | undefined => {
  if ('unknown' in secret.key) return secret.key.unknown
  if (secret.key.known.is === 'unsound') return secret.key.known.fault
  if (!isOurs(secret, agent)) return 'it is not labelled as this agent’s'
  const { keyId } = secret.key.known
  const marked = secret.metadata.annotations?.[keyIdAnnotation] ?? keyId
  if (marked !== keyId) return `it holds key ${keyId}, but is marked with ${marked}`
  const [held] = generationsAmong(agent, [secret])
  return held?.generation.number === agentNames.generationNumber(agent, secret.metadata.name)
    ? undefined
    : 'its mark is not the number in its name'
}

const generationsAmong = (agent: string, secrets: readonly SeenSecret[]): readonly SoundGeneration[] =>
  secrets.flatMap(soundly).flatMap((sound: Sound) => generationIn(agent, sound))

const withKeys = (observed: Observed): Stage => {
  const held = generationsAmong(observed.object.metadata.name, observed.generations)
  const keys = { held, course: courseOf(situationOf(observed, held)) }
  const current = held.find(({ generation }) => generation.number === keys.course.current?.number)
  if (current === undefined) return searchForCurrent(observed, keys) ?? { is: 'renewing', keys }
  const expected = keyIdOf(observed.object)
  if (expected !== undefined && !isExplained(expected, held)) {
    const fault = `it holds key ${current.key.keyId}, but this agent’s key is ${expected}`
    return { is: 'invalid', secret: printKey(keyOf(current.secret)), fault }
  }
  return { is: 'established', current, keys }
}
