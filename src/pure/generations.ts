import {
  type Ancestor,
  type Generation,
  inOrder,
  inUseSince,
  isBroughtBack,
  isInUse,
  isRetiring,
  isStanding,
  lineageOf,
  requestMark,
  rolesAmong,
} from './generation.ts'
import type { KeyState } from './key-rollout.ts'
import { lossAmong, type LostKey } from './lost-key.ts'
import { getOwn } from './own.ts'
import { isObsolete, isUnrecordedDrop, memoryToWrite, type ReplicaLocations } from './revoked-generations.ts'
import { isRemembered, newestAmong, rememberedAmong, type RevokedKey } from './revoked-keys.ts'

/** Somebody who accepts what is signed with a key that is listed for him. */
export interface Consumer {
  readonly name: string
  /** How far each key has come with him, by its id. One that is not there has not reached him, or has left him. */
  readonly keys: Readonly<Record<string, KeyState>>
  /** Whether he is to accept the holder's keys, or only did so once. */
  readonly isServed: boolean
}

/** All that the next steps with somebody's keys depend on. Times are milliseconds since 1970. */
export interface Situation {
  readonly generations: readonly Generation[]
  /** What somebody last asked to have the key exchanged with. */
  readonly request: string | undefined
  /** How old a key may become before it is exchanged unasked. */
  readonly every: number | undefined
  /** For how long the former key is accepted beside the new one. */
  readonly overlap: number
  /** With so many accepted keys, a rotation waits until one of them has retired. */
  readonly mostKeys: number
  /** The ids of keys that somebody wants to be accepted no longer. */
  readonly revocations: readonly string[]
  readonly consumers: readonly Consumer[]
  /** Where copies of a key lie, by its id; and where there may be one of any key. */
  readonly carriers: ReplicaLocations
  readonly now: number
}

/**
 * One step: a mark on a generation, its birth or its end. None is ever undone but a retirement: who is promoted while it
 * retires, because its successor was taken back, stands again.
 */
export type Move =
  | {
      readonly is: 'mint'
      readonly number: number
      readonly lineage: readonly Ancestor[]
      readonly request: string | undefined
      /** Whether it is the one to sign with from the beginning, because there is no other. */
      readonly isCurrent: boolean
      readonly revokedKeys: readonly RevokedKey[]
    }
  | { readonly is: 'retire'; readonly generation: Generation; readonly at: number }
  /** The current generation gets the memory of these revoked keys. */
  | { readonly is: 'remember'; readonly generation: Generation; readonly revokedKeys: readonly RevokedKey[] }
  /** `drop` records that the last pod has dropped a revoked key. */
  | { readonly is: 'promote' | 'revoke' | 'drop' | 'end' | 'delete'; readonly generation: Generation }

/** What a key waits for. */
export type Wait =
  | { readonly for: 'loading' | 'draining'; readonly keyId: string; readonly consumers: readonly string[] }
  | { readonly for: 'carriers'; readonly keyId: string; readonly places: readonly string[] }
  /** The rotation that is due is held back: so many keys are accepted already. */
  | { readonly for: 'retirement'; readonly keyId: string; readonly count: number }
  | { readonly for: 'end'; readonly keyId: string; readonly at: number }

/** Where somebody's keys stand, and what comes next. */
export interface Course {
  /** The key to sign with; undefined until it is minted, or written down to stand again. */
  readonly current: Generation | undefined
  /** There was a key to sign with, and it was neither retired nor taken back; its id, where that is known. */
  readonly lost: LostKey | undefined
  readonly moves: readonly Move[]
  readonly waits: readonly Wait[]
  /** When to look again although nothing changed. */
  readonly nextAt: number | undefined
}

/**
 * Trust widens before use and narrows after: a new key is listed everywhere before anybody signs with it, and the former
 * one is listed until its announced end, and for as long as somebody holds a copy. Time may ask for a step, but no step is
 * taken because time has passed alone.
 */
export const courseOf = (situation: Situation): Course => {
  const { revocations, now } = situation
  // A key that is remembered as revoked and lacks the annotation was restored from a backup.
  const asked = situation.generations.filter(
    ({ keyId, revokedAt }) =>
      revokedAt === undefined && (revocations.includes(keyId) || isRemembered(keyId, situation.generations)),
  )
  const generations = situation.generations.map((one) =>
    asked.includes(one) ? { ...one, revokedAt: now, droppedAt: undefined } : one,
  )
  const then = { ...situation, generations }
  const { current, next } = rolesAmong(generations)
  const lost = lossAmong(generations, current, revocations)
  const heldBack = lost === undefined && next === undefined ? heldBackIn(then, current) : []
  const waits = [...waitsIn(then, next), ...heldBack]
  const revokes = asked.map((generation) => ({ is: 'revoke', generation }) as const)
  const drops = situation.generations
    .filter((one) => isUnrecordedDrop(one) && !isWaitedFor(one, waits))
    .map((generation) => ({ is: 'drop', generation }) as const)
  return {
    current: lost === undefined && current !== undefined && isStanding(current) ? current : undefined,
    lost,
    moves: lost === undefined ? [...revokes, ...drops, ...movesIn(then, waits)] : revokes,
    waits,
    nextAt: nextAtOf(situation, current, waits),
  }
}

const movesIn = (situation: Situation, waits: readonly Wait[]): readonly Move[] => {
  const { generations, now, overlap } = situation
  const { current, next } = rolesAmong(generations)
  const unawaited = generations.filter((one) => one !== current && !isWaitedFor(one, waits))
  const free = unawaited.filter(({ revokedAt }) => revokedAt === undefined)
  const isSettled = current !== undefined && isInUse(current)
  const due = isSettled ? free.find((one) => one === next) : reinstatable(current, next)
  const obsolete = isSettled ? unawaited.filter((one) => isObsolete(one, current, situation.carriers)) : []
  const revokedKeys = isSettled ? memoryToWrite(current, generations, obsolete) : undefined
  const ended = isSettled ? free.filter(({ isEnding }) => isEnding) : []
  // What another key remembers is not lost with its Secret.
  const deletable = revokedKeys === undefined ? [...ended, ...obsolete] : []
  return [
    ...(due === undefined ? [] : [{ is: 'promote', generation: due } as const]),
    ...(isSettled ? generations.filter((one) => isStanding(one) && one.number < current.number) : []).map(
      (generation) =>
        ({
          is: 'retire',
          generation,
          at: isBroughtBack(generation, generations) ? generation.madeAt : now + overlap,
        }) as const,
    ),
    ...free.filter(isRetiring).map((generation) => ({ is: 'end', generation }) as const),
    // No other move changes the Secret of a current key that is in use: a second patch in the same plan would conflict.
    ...(isSettled && revokedKeys !== undefined ? [{ is: 'remember', generation: current, revokedKeys } as const] : []),
    ...deletable.map((generation) => ({ is: 'delete', generation }) as const),
    ...(next === undefined && isMintDue(situation, current) ? [mintAfter(situation)] : []),
  ]
}

const isWaitedFor = ({ keyId }: Generation, waits: readonly Wait[]): boolean =>
  waits.some((wait) => wait.keyId === keyId)

/**
 * What stands serves at once when nothing else does. One that retires serves in place of its successor, which was taken
 * back, until another is loaded. That is written on it before it is copied: an end that somebody decided on earlier is
 * refused then.
 */
const reinstatable = (current: Generation | undefined, next: Generation | undefined): Generation | undefined =>
  current !== undefined && (isStanding(current) || next !== undefined) ? current : undefined

/** A successor that was taken back is made anew before the one that retires takes its place: it shows what is missing. */
const isMintDue = (situation: Situation, current: Generation | undefined): boolean =>
  current === undefined || isRetiring(current) || (isAskedFor(situation, current) && !isFull(situation))

/** Keys that retire slower than they are exchanged would fill every key list. */
const isFull = ({ generations, mostKeys }: Situation): boolean => listableAmong(generations).length >= mostKeys

const listableAmong = (generations: readonly Generation[]): readonly Generation[] =>
  generations.filter((one) => isListable(one, generations))

const heldBackIn = (situation: Situation, current: Generation | undefined): readonly Wait[] => {
  if (current === undefined || isRetiring(current) || !isAskedFor(situation, current) || !isFull(situation)) return []
  return [{ for: 'retirement', keyId: current.keyId, count: listableAmong(situation.generations).length }]
}

/** Whether a consumer shall accept what is signed with this key, one of these. */
export const isListable = (one: Generation, all: readonly Generation[]): boolean =>
  one.revokedAt === undefined && !isRemembered(one.keyId, all) && !one.isEnding && !isBroughtBack(one, all)

/** A key that was taken back and is not there was given up: it is remembered too. */
const mintAfter = ({ generations, request, revocations }: Situation): Move => {
  const lineage = lineageOf(generations)
  const givenUp = revocations.filter((id) => !lineage.some(({ keyId }) => keyId === id)).map((keyId) => ({ keyId }))
  return {
    is: 'mint',
    number: Math.max(0, ...generations.map(({ number }) => number)) + 1,
    lineage: [...givenUp, ...lineage],
    request,
    isCurrent: rolesAmong(generations).current === undefined,
    revokedKeys: newestAmong(rememberedAmong(inOrder(generations))),
  }
}

/** A request is served once: by a key that is there, or by one that is gone. */
const isAskedFor = ({ generations, request, every, now }: Situation, current: Generation): boolean =>
  isUnserved(generations, request) || (every !== undefined && isInUse(current) && now >= inUseSince(current) + every)

const isUnserved = (generations: readonly Generation[], request: string | undefined): boolean => {
  if (request === undefined) return false
  const mark = requestMark(request)
  return !generations.some((one) => one.request === mark || one.lineage.some((former) => former.request === mark))
}

const waitsIn = (situation: Situation, next: Generation | undefined): readonly Wait[] => [
  ...(next === undefined ? [] : loadingOf(situation, next)),
  ...inOrder(situation.generations).flatMap((generation) => {
    if (generation.revokedAt !== undefined) return drainingOf(situation, generation)
    if (generation.isEnding) return drainingOf(situation, generation)
    return isRetiring(generation) ? retirementOf(situation, generation) : []
  }),
]

const loadingOf = ({ consumers }: Situation, { keyId }: Generation): readonly Wait[] => {
  const without = consumers.filter(({ keys, isServed }) => isServed && getOwn(keys, keyId) !== 'Loaded')
  return without.length === 0 ? [] : [{ for: 'loading', keyId, consumers: without.map(({ name }) => name) }]
}

const drainingOf = ({ consumers }: Situation, { keyId }: Generation): readonly Wait[] => {
  const having = consumers.filter(({ keys }) => getOwn(keys, keyId) !== undefined)
  return having.length === 0 ? [] : [{ for: 'draining', keyId, consumers: having.map(({ name }) => name) }]
}

const retirementOf = ({ carriers, now }: Situation, { keyId, retiresAt = 0 }: Generation): readonly Wait[] => {
  const places = [...(getOwn(carriers.of, keyId) ?? []), ...carriers.unknown]
  return [
    ...(now < retiresAt ? [{ for: 'end', keyId, at: retiresAt } as const] : []),
    ...(places.length === 0 ? [] : [{ for: 'carriers', keyId, places } as const]),
  ]
}

const nextAtOf = ({ every, now }: Situation, current: Generation | undefined, waits: readonly Wait[]) => {
  const due = every === undefined || current === undefined ? [] : [inUseSince(current) + every]
  const ends = waits.flatMap((wait) => (wait.for === 'end' && Number.isFinite(wait.at) ? [wait.at] : []))
  const ahead = [...due, ...ends].filter((at) => at > now)
  return ahead.length === 0 ? undefined : Math.min(...ahead)
}
