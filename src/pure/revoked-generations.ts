import { type Generation, inOrder } from './generation.ts'
import { getOwn } from './own.ts'
import { isRemembered, newestAmong, rememberedAmong, type RevokedKey } from './revoked-keys.ts'

/** Where replicas of a key are, by its id; and where there may be one of any key. */
export interface ReplicaLocations {
  readonly of: Readonly<Record<string, readonly string[]>>
  readonly unknown: readonly string[]
}

/** Whether it is revoked, and it is not recorded that the last pod has dropped it. */
export const isUnrecordedDrop = ({ revokedAt, droppedAt }: Generation): boolean =>
  revokedAt !== undefined && droppedAt === undefined

/**
 * Whether the Secret of a revoked key that no pod has is not needed any more: no replica holds the key, and a later key is
 * current. A number above that of the current key must not become free again.
 */
export const isObsolete = (one: Generation, current: Generation, replicas: ReplicaLocations): boolean =>
  one.revokedAt !== undefined &&
  one.droppedAt !== undefined &&
  one.number < current.number &&
  replicas.unknown.length + (getOwn(replicas.of, one.keyId) ?? []).length === 0

/**
 * The revoked keys that the current generation is to remember: all that any generation remembers, and the obsolete ones,
 * newest last. Undefined when it remembers them.
 */
export const memoryToWrite = (
  current: Generation,
  generations: readonly Generation[],
  obsolete: readonly Generation[],
): readonly RevokedKey[] | undefined => {
  const isKnown = ({ keyId }: Pick<RevokedKey, 'keyId'>) => isRemembered(keyId, [current])
  const others = inOrder(generations).filter((one) => one !== current)
  const revokedKeys = newestAmong([
    ...rememberedAmong(others),
    ...current.revokedKeys,
    ...obsolete
      .filter((one) => !isKnown(one))
      .map(({ keyId, revokedAt, droppedAt }) => ({ keyId, revokedAt, droppedAt })),
  ])
  return revokedKeys.every(isKnown) ? undefined : revokedKeys
}
