import { adoptAnnotation, agentNames } from '../../pure/names.ts'
import { keyOf, type ObjectKey, printKey } from '../../pure/object.ts'
import {
  concernedListingsOf,
  formerNamespacesOf,
  keyIdOf,
  mayAdoptUnasked,
  type Observed,
  outOfScopeNamespacesOf,
  type SeenSecret,
  targetNamespacesOf,
} from './observed.ts'
import { candidatesOf, doubtAmong, isOurs, ownRelicsOf, revokedIdsOf, type Sound, soundly } from './ownership.ts'
import { isExplained, type Keys, type SoundGeneration } from './situation.ts'

/** The situations that an agent can be in when its canonical Secret is not there. */
export type Bereft =
  | { readonly is: 'in-doubt'; readonly cause: string }
  /** A copy holds the key that the status names. */
  | {
      readonly is: 'restorable'
      readonly source: Sound
      readonly number: number
      /** The other generations. */
      readonly held: readonly SoundGeneration[]
    }
  /** A copy from before may become the identity. */
  | { readonly is: 'adoptable'; readonly source: Sound }
  /** Copies from before differ, and nothing says which is the agent's. */
  | { readonly is: 'ambiguous'; readonly copies: readonly Sound[] }
  /** There are copies from before, and nobody has said that they are the agent's. */
  | { readonly is: 'awaiting-consent'; readonly copies: readonly Sound[] }
  /** Somebody named a Secret that cannot be the agent's. */
  | { readonly is: 'unadoptable'; readonly named: string; readonly fault: string }
  /** There was a key, and no copy of it can be told. */
  | { readonly is: 'lost'; readonly keyId: string | undefined; readonly listedBy: readonly ObjectKey[] }
  /** No target has ever asked for a key. */
  | { readonly is: 'unneeded' }
  | { readonly is: 'unminted' }

/**
 * Asks everything that may show that there was a key: the status, then copies, then what services accept. Only the
 * status, which no tenant can write, tells which key it was; a copy alone needs somebody's word.
 */
export const searchForKey = (observed: Observed): Bereft =>
  byStatus(observed) ?? byConsent(observed) ?? byCopies(observed) ?? byListings(observed) ?? neverThere(observed)

/** But not of a key that was taken back: that shows nothing any more. */
const everyCopy = (observed: Observed): readonly SeenSecret[] => {
  const revoked = revokedIdsOf(observed)
  return [...observed.replicas.values(), ...ownRelicsOf(observed)].filter(
    (secret) => !soundly(secret).some(({ key }) => revoked.has(key.keyId)),
  )
}

/** Who takes the lost key back gives it up: then it is none. */
const byStatus = (observed: Observed): Bereft | undefined => {
  const keyId = keyIdOf(observed.object)
  return keyId === undefined || revokedIdsOf(observed).has(keyId) ? undefined : searchFor(keyId, observed)
}

const searchFor = (keyId: string, observed: Observed, held: readonly SoundGeneration[] = []): Bereft => {
  const source = candidatesOf(observed, observed.relics).find(({ key }) => key.keyId === keyId)
  if (source !== undefined) return { is: 'restorable', source, number: numberOf(observed, keyId), held }
  return inDoubtOver([...observed.replicas.values(), ...observed.relics]) ?? { is: 'lost', keyId, listedBy: [] }
}

/** The number that the key had, or else the next. */
const numberOf = ({ object, generations }: Observed, keyId: string): number => {
  const { name } = object.metadata
  const taken = generations.flatMap(({ metadata }) => agentNames.generationNumber(name, metadata.name) ?? [])
  const known = object.status?.generations?.find((row) => row.keyID === keyId)?.generation
  if (known !== undefined && !taken.includes(known)) return known
  return taken.includes(1) ? Math.max(...taken) + 1 : 1
}

/**
 * Where there are generations and none is in use: undefined when that is because the last was taken back. One that
 * retires had a successor. Which key that was is told by the status, by the lineage of another generation or by a person;
 * a copy alone tells nothing, because whoever can write to its namespace may have made it.
 */
export const searchForCurrent = (observed: Observed, { held, course }: Keys): Bereft | undefined => {
  const keyId = course.lost?.keyId ?? keyIdOf(observed.object) ?? consentedKeyOf(observed, held)
  if (course.lost !== undefined) return searchForLost(keyId, observed, held)
  const revoked = revokedIdsOf(observed)
  const isGivenUp = keyId !== undefined && revoked.has(keyId)
  if (keyId !== undefined && !isGivenUp && !isExplained(keyId, held)) return searchFor(keyId, observed, held)
  const isTakenBack =
    isGivenUp || held.some(({ generation }) => generation.revokedAt !== undefined || revoked.has(generation.keyId))
  return isTakenBack ? undefined : { is: 'lost', keyId: undefined, listedBy: [] }
}

/** The key that somebody has named by its id. The name of a Secret is not enough here: it may have been given long ago. */
const consentedKeyOf = ({ object }: Observed, held: readonly SoundGeneration[]): string | undefined => {
  const [, keyId] = object.metadata.annotations?.[adoptAnnotation]?.trim().split('@') ?? []
  return keyId === undefined || isExplained(keyId, held) ? undefined : keyId
}

const searchForLost = (keyId: string | undefined, observed: Observed, held: readonly SoundGeneration[]): Bereft =>
  keyId === undefined || held.some(({ key }) => key.keyId === keyId)
    ? { is: 'lost', keyId: undefined, listedBy: [] }
    : searchFor(keyId, observed, held)

/** Who names the key too is safe from one that somebody puts in its place meanwhile. */
const byConsent = (observed: Observed): Bereft | undefined => {
  const named = observed.object.metadata.annotations?.[adoptAnnotation]?.trim()
  if (named === undefined || named === '') return undefined
  const [name, keyId] = named.split('@')
  const isNamed = (secret: SeenSecret) => printKey(keyOf(secret)) === name
  const source = candidatesOf(observed).find(({ secret }) => isNamed(secret))
  if (source !== undefined && (keyId ?? source.key.keyId) === source.key.keyId) return { is: 'adoptable', source }
  const secret = everyCopy(observed).find(isNamed)
  const doubt = inDoubtOver(secret === undefined ? [] : [secret])
  return doubt ?? { is: 'unadoptable', named, fault: faultOf(secret, source) }
}

const faultOf = (secret: SeenSecret | undefined, source: Sound | undefined): string => {
  if (secret === undefined)
    return 'there is no Secret of that name which could be a copy of this agent’s key, or its key is revoked'
  return source === undefined
    ? 'it is not labelled as this agent’s, or its key does not hold together'
    : `it holds key ${source.key.keyId}`
}

const byCopies = (observed: Observed): Bereft | undefined =>
  (mayAdoptUnasked(observed) ? adoption(observed) : undefined) ?? consentNeeded(observed)

const adoption = (observed: Observed): Bereft | undefined => {
  const doubt = inDoubtOver(everyCopy(observed))
  if (doubt !== undefined) return doubt
  const candidates = candidatesOf(observed)
  const refs = new Set((observed.object.status?.distributedSecretRefs ?? []).map(printKey))
  const listed = candidates.filter(({ secret }) => refs.has(printKey(keyOf(secret))))
  const copies = listed.length > 0 ? listed : candidates
  const [source] = copies
  if (source === undefined) return undefined
  const keyIds = new Set(copies.map(({ key }) => key.keyId))
  return keyIds.size > 1 ? { is: 'ambiguous', copies } : { is: 'adoptable', source }
}

/** Elsewhere than where the key goes or went anybody may have put a Secret: that says nothing of this agent. */
const consentNeeded = (observed: Observed): Bereft | undefined => {
  const places = new Set([...targetNamespacesOf(observed), ...formerNamespacesOf(observed.object)])
  const isInPlace = ({ metadata }: SeenSecret) => places.has(metadata.namespace ?? '')
  const inPlace = everyCopy(observed).filter(isInPlace)
  const copies = candidatesOf(observed).filter(({ secret }) => isInPlace(secret))
  if (copies.length > 0) return { is: 'awaiting-consent', copies }
  // A copy that we wrote and somebody has spoilt shows that there was a key, though not which.
  const isSpoilt = inPlace.some((secret) => isOurs(secret, observed.object.metadata.name))
  return inDoubtOver(inPlace) ?? (isSpoilt ? { is: 'lost', keyId: undefined, listedBy: [] } : undefined)
}

const byListings = (observed: Observed): Bereft | undefined => {
  const revoked = revokedIdsOf(observed)
  const listings = concernedListingsOf(observed).filter(({ keyId }) => keyId === undefined || !revoked.has(keyId))
  const [first] = listings
  return first && { is: 'lost', keyId: first.keyId, listedBy: listings.map(({ service }) => service) }
}

/** Copies that we may not look at are not copies that are not there. */
const neverThere = (observed: Observed): Bereft => {
  if (outOfScopeNamespacesOf(observed).length > 0) return { is: 'lost', keyId: undefined, listedBy: [] }
  return { is: targetNamespacesOf(observed).length === 0 ? 'unneeded' : 'unminted' }
}

const inDoubtOver = (secrets: readonly SeenSecret[]): Bereft | undefined => {
  const cause = doubtAmong(secrets)
  return cause === undefined ? undefined : { is: 'in-doubt', cause }
}
