import { fingerprint } from './fingerprint.ts'
import {
  agentNames,
  currentSinceAnnotation,
  deleteAnnotation,
  droppedAnnotation,
  generationAnnotation,
  keyIdAnnotation,
  lineageAnnotation,
  requestedByAnnotation,
  retiredUidAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
  succeedsAnnotation,
} from './names.ts'
import type { ObjectMeta } from './object.ts'
import { parseRevokedKeys, rememberedAmong, type RevokedKey } from './revoked-keys.ts'

/** A key and the request that it was made for, by its fingerprint. */
export interface Ancestor {
  readonly keyId: string
  readonly request?: string | undefined
}

/** One of a holder's keys, by the marks of its Secret. Times are milliseconds since 1970. */
export interface Generation {
  readonly number: number
  readonly keyId: string
  /** Of its Secret: one that is put back from a backup has another. */
  readonly uid: string
  /** By the clock of the API server. */
  readonly madeAt: number
  /** The fingerprint of the request that it serves. */
  readonly request: string | undefined
  /** What came before it, newest last: a request is served once, also when the key that it led to is gone. */
  readonly lineage: readonly Ancestor[]
  /** Since when it is the one to sign with, where that is written down. */
  readonly currentSince: number | undefined
  /** The UIDs of the keys before it that were there when it came into use, where that is written down. */
  readonly succeeds: readonly string[] | undefined
  readonly retiresAt: number | undefined
  /** The UID that it had when it retired, where that is written down. */
  readonly retiredUid: string | undefined
  readonly revokedAt: number | undefined
  /** When the last pod had dropped it, where it is revoked. */
  readonly droppedAt: number | undefined
  /** The revoked keys that it remembers. */
  readonly revokedKeys: readonly RevokedKey[]
  /** Whether it retires and its deletion is meant: from then on nobody may rely on it. */
  readonly isEnding: boolean
}

/** Stands for a request in marks: what people write there may be long. */
export const requestMark = (request: string): string => fingerprint(request).slice(0, 16)

/**
 * What the marks of an agent's Secret in the operator's namespace say; undefined when it is not a key generation. A
 * canonical Secret that was made before there were generations is the first; all else without a mark is a copy, and so
 * is what somebody keeps under another name.
 */
export const generationOf = (agent: string, secret: ObjectMeta, keyId?: string): Generation | undefined => {
  const { annotations = {} } = secret
  const number = numberOf(agent, secret)
  if (number === undefined) return undefined
  const id = keyId ?? annotations[keyIdAnnotation] ?? ''
  const request = annotations[requestedByAnnotation]
  return {
    number,
    keyId: id,
    uid: secret.uid,
    madeAt: Date.parse(secret.creationTimestamp ?? ''),
    request: request === undefined ? undefined : requestMark(request),
    lineage: lineageIn(annotations[lineageAnnotation]),
    currentSince: timeIn(annotations[currentSinceAnnotation]),
    succeeds: annotations[succeedsAnnotation]?.split(','),
    retiresAt: timeIn(annotations[retiresAnnotation]),
    retiredUid: annotations[retiredUidAnnotation],
    revokedAt: timeIn(annotations[revokedAnnotation]),
    droppedAt: timeIn(annotations[droppedAnnotation]),
    revokedKeys: parseRevokedKeys(annotations[revokedKeysAnnotation]),
    // On a key that is in use, the mark is somebody's who is about to delete the Secret: that ends no key.
    isEnding: retiresAnnotation in annotations && id !== '' && annotations[deleteAnnotation] === id,
  }
}

const numberOf = (agent: string, { name, annotations = {} }: ObjectMeta): number | undefined => {
  const named = agentNames.generationNumber(agent, name)
  const mark = annotations[generationAnnotation]
  if (named === undefined || mark === undefined) return named === 1 ? 1 : undefined
  return /^[1-9]\d*$/.test(mark) ? Number(mark) : undefined
}

/** A mark that cannot be read still is one: what was taken back does not come back by a slip of the pen. */
const timeIn = (mark: string | undefined): number | undefined => {
  if (mark === undefined) return undefined
  const time = Date.parse(mark)
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}

const longestLineage = 65_536

const lineageIn = (mark: string | undefined): readonly Ancestor[] => {
  // Ours has a few thousand characters.
  if (mark !== undefined && mark.length > longestLineage) return []
  try {
    const lineage = JSON.parse(mark ?? '[]') as readonly Ancestor[]
    return lineage.filter(({ keyId }) => typeof keyId === 'string')
  } catch {
    return []
  }
}

// Marks have their limits; who goes back further than this does not remember.
const mostAncestors = 100

/** What comes before the next generation, last the one in use, or the one that takes its place. */
export const lineageOf = (generations: readonly Generation[]): readonly Ancestor[] => {
  const rank = (one: Generation): number => (isStanding(one) ? 2 : isRetiring(one) ? 1 : 0)
  const older = [...generations].sort((a, b) => rank(a) - rank(b) || a.number - b.number)
  const ancestors = older.flatMap(({ lineage, keyId, request }) => [...lineage, { keyId, request }])
  const distinct = new Map(ancestors.reverse().map((ancestor) => [ancestor.keyId, ancestor]))
  return [...distinct.values()].slice(0, mostAncestors).reverse()
}

/**
 * Whether it was over when it was made: somebody has put back what had gone. It had ended by then, or it comes before the
 * one in use, was made after that came into use, and does not even retire. One that still retires was put back together
 * with its successor, and one that was put back before it was succeeded has all of its overlap. UIDs tell: the clock of
 * the server, by which a Secret was made, and ours, by which it retires, may differ by minutes.
 */
export const isBroughtBack = (one: Generation, all: readonly Generation[]): boolean =>
  one.retiresAt === undefined
    ? all.some((other) => isInUse(other) && isBefore(one, other) && isMadeAfterUseOf(other, one))
    : one.retiredUid !== one.uid && one.retiresAt <= one.madeAt

const isMadeAfterUseOf = (other: Generation, one: Generation): boolean =>
  other.succeeds === undefined ? one.madeAt > inUseSince(other) : !other.succeeds.includes(one.uid)

/** What is written on a key that comes into use: the UIDs of those that were there before it. */
export const succeededBy = (number: number, all: readonly Pick<Generation, 'number' | 'uid'>[]): string =>
  all
    .filter((one) => one.number < number)
    .map(({ uid }) => uid)
    .join(',')

/** By our own clock where it was written down: the server's may be another. */
export const inUseSince = ({ currentSince, madeAt }: Generation): number => currentSince ?? madeAt

const isBefore = ({ number, keyId }: Generation, other: Generation): boolean =>
  number < other.number && other.lineage.some((ancestor) => ancestor.keyId === keyId)

/** The same generations: one that any of them remembers as revoked is revoked, also without its own annotation. */
export const withRemembered = (generations: readonly Generation[]): readonly Generation[] => {
  const remembered = new Map(rememberedAmong(generations).map((key) => [key.keyId, key]))
  return generations.map((one) => {
    const memory = one.revokedAt === undefined ? remembered.get(one.keyId) : undefined
    return memory === undefined ? one : { ...one, revokedAt: memory.revokedAt ?? Number.POSITIVE_INFINITY }
  })
}

/** Neither retiring nor revoked. */
export const isStanding = ({ retiresAt, revokedAt, isEnding }: Generation): boolean =>
  retiresAt === undefined && revokedAt === undefined && !isEnding

export const isRetiring = ({ retiresAt, revokedAt, isEnding }: Generation): boolean =>
  retiresAt !== undefined && revokedAt === undefined && !isEnding

/** Whether it is written down that it is, or was, the one to sign with; for a first key that need not be. */
export const cameIntoUse = ({ lineage, currentSince }: Generation): boolean =>
  lineage.length === 0 || currentSince !== undefined

export const isInUse = (generation: Generation): boolean => isStanding(generation) && cameIntoUse(generation)

export const inOrder = <T extends Pick<Generation, 'number'>>(generations: readonly T[]): readonly T[] =>
  [...generations].sort((a, b) => a.number - b.number)

interface Roles {
  readonly current: Generation | undefined
  readonly next: Generation | undefined
}

/**
 * The key to sign with is the newest that is written down to be it. Where that was taken back, the one before it serves
 * as long as it is accepted; where there is none, whatever stands. A key that somebody made too late, under a number that
 * had become free again, is never the next.
 */
export const rolesAmong = (generations: readonly Generation[]): Roles => {
  const standing = inOrder(generations).filter(isStanding)
  const current = standing.findLast(isInUse)
  if (current !== undefined) return { current, next: standing.find(({ number }) => number > current.number) }
  const former = inOrder(generations).findLast(isRetiring)
  const [first, second] = standing
  return former === undefined ? { current: first, next: second } : { current: former, next: first }
}

/** Which of an agent's keys is the one to sign with. */
export type CurrentGeneration =
  | { readonly is: 'current'; readonly secret: ObjectMeta }
  | { readonly is: 'none' }
  /** Two Secrets say that they are the same generation: which of them is meant is not ours to guess. */
  | { readonly is: 'several'; readonly secrets: readonly ObjectMeta[] }

/** Among the Secrets in the operator's namespace that carry the agent's label. One that is leaving is not handed out. */
export const currentGeneration = (agent: string, secrets: readonly ObjectMeta[]): CurrentGeneration => {
  const held = secrets.flatMap((secret) => {
    const generation = generationOf(agent, secret)
    return generation === undefined ? [] : [{ secret, generation }]
  })
  const { current } = rolesAmong(withRemembered(held.map(({ generation }) => generation)))
  const [secret, ...others] = held
    .filter(({ generation }) => generation.number === current?.number && isStanding(generation))
    .map((one) => one.secret)
  if (secret === undefined) return { is: 'none' }
  return others.length === 0 ? { is: 'current', secret } : { is: 'several', secrets: [secret, ...others] }
}
