import type { Generation } from '../../src/pure/generation.ts'
import { type Consumer, courseOf, type Situation } from '../../src/pure/generations.ts'

export const now = 1_000_000
export const overlap = 500

export const key = (number: number, marks: Partial<Generation> = {}): Generation => ({
  number,
  keyId: `k${number}`,
  uid: `uid-${number}`,
  madeAt: now - 100,
  request: undefined,
  lineage: number === 1 ? [] : [{ keyId: `k${number - 1}` }],
  currentSince: undefined,
  succeeds: undefined,
  retiredUid: undefined,
  retiresAt: undefined,
  revokedAt: undefined,
  droppedAt: undefined,
  revokedKeys: [],
  isEnding: false,
  ...marks,
})

/** Somebody who accepts these keys, or is on the way to. */
export const service = (name: string, keys: Consumer['keys'], isServed = true): Consumer => ({ name, keys, isServed })

export const situation = (given: Partial<Situation>): Situation => ({
  generations: [],
  request: undefined,
  every: undefined,
  overlap,
  mostKeys: 8,
  revocations: [],
  consumers: [],
  carriers: { of: {}, unknown: [] },
  now,
  ...given,
})

/** One of which it is written down that it is in use. */
export const used = (number: number, marks: Partial<Generation> = {}): Generation =>
  key(number, { currentSince: now - 50, ...marks })

export const retiring = key(1, { retiresAt: now + 1 })
export const over = key(1, { retiresAt: now })
export const revoked = key(1, { revokedAt: now - 1 })
export const ending = key(1, { retiresAt: now - 1, isEnding: true })
export const takenBack = used(2, { revokedAt: now - 1, droppedAt: now })

/** The moves in short: what, and which generation. */
export const movesOf = (given: Partial<Situation>): readonly string[] =>
  courseOf(situation(given)).moves.map(
    (move) => `${move.is} ${'number' in move ? move.number : move.generation.number}`,
  )
