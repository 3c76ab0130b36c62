import { revokedKeysAnnotation } from './names.ts'
import type { KubeObject } from './object.ts'
import { printTime } from './time.ts'

/** A revoked key that a key generation remembers. Times are milliseconds since 1970. */
export interface RevokedKey {
  readonly keyId: string
  readonly revokedAt: number | undefined
  /** When the last pod had dropped it. */
  readonly droppedAt: number | undefined
}

interface Remembering {
  readonly revokedKeys: readonly RevokedKey[]
}

const longestAnnotation = 65_536
const mostKeys = 100

/** An entry without a readable time still is a revocation; what is not a list of entries is an empty list. */
export const parseRevokedKeys = (annotation: string | undefined): readonly RevokedKey[] => {
  // The operator writes about ten thousand characters at most.
  if (annotation === undefined || annotation.length > longestAnnotation) return []
  try {
    const entries: unknown = JSON.parse(annotation)
    return Array.isArray(entries) ? distinct(entries.flatMap(parseEntry)) : []
  } catch {
    return []
  }
}

const parseEntry = (entry: unknown): readonly RevokedKey[] => {
  const { keyId, revokedAt, droppedAt } = (entry ?? {}) as Readonly<Record<string, unknown>>
  if (typeof keyId !== 'string' || keyId === '') return []
  return [{ keyId, revokedAt: parseTime(revokedAt), droppedAt: parseTime(droppedAt) }]
}

const parseTime = (time: unknown): number | undefined => {
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed
}

export const formatRevokedKeys = (keys: readonly RevokedKey[]): string =>
  JSON.stringify(
    keys.map(({ keyId, revokedAt, droppedAt }) => ({
      keyId,
      revokedAt: formatTime(revokedAt),
      droppedAt: formatTime(droppedAt),
    })),
  )

const formatTime = (time: number | undefined): string | undefined =>
  time === undefined || !Number.isFinite(time) ? undefined : printTime(time)

/** The keys that any of these generations remembers as revoked, each once. */
export const rememberedAmong = (generations: readonly Remembering[]): readonly RevokedKey[] =>
  distinct(generations.flatMap(({ revokedKeys }) => revokedKeys))

export const isRemembered = (keyId: string, generations: readonly Remembering[]): boolean =>
  generations.some(({ revokedKeys }) => revokedKeys.some((key) => key.keyId === keyId))

/** The ids of the keys that the annotations of these Secrets name, also where a key itself cannot be read. */
export const rememberedIdsIn = (secrets: readonly KubeObject[]): readonly string[] =>
  secrets.flatMap(({ metadata: { annotations = {} } }) =>
    parseRevokedKeys(annotations[revokedKeysAnnotation]).map(({ keyId }) => keyId),
  )

/** Each key once, at its last place; of more keys than an annotation holds, the first are left out. */
export const newestAmong = (keys: readonly RevokedKey[]): readonly RevokedKey[] => distinct(keys).slice(-mostKeys)

const distinct = (keys: readonly RevokedKey[]): readonly RevokedKey[] =>
  [...new Map(keys.toReversed().map((key) => [key.keyId, key])).values()].reverse()
