import { cameIntoUse, type Generation, inOrder, isInUse, isStanding } from './generation.ts'
import { isRemembered } from './revoked-keys.ts'

/** A key that was in use and is missing; its id, where that is known. */
export interface LostKey {
  readonly keyId: string | undefined
}

/** A key that came after another is used when that is written down, and that is done before the other one is gone. */
export const lossAmong = (
  generations: readonly Generation[],
  current: Generation | undefined,
  revocations: readonly string[],
): LostKey | undefined => {
  if (current !== undefined && isInUse(current)) return undefined
  const heldAs = (id: string) => generations.find(({ keyId }) => keyId === id)
  const formerId = current !== undefined && isStanding(current) ? current.lineage.at(-1)?.keyId : undefined
  if (formerId !== undefined && heldAs(formerId) === undefined) {
    const isRevoked = revocations.includes(formerId) || isRemembered(formerId, generations)
    return isRevoked ? undefined : { keyId: formerId }
  }
  const unrevoked = inOrder(generations).findLast(({ revokedAt }) => revokedAt === undefined)
  const former = formerId === undefined ? (current ?? unrevoked) : heldAs(formerId)
  const isGivenUp = revocations.some((id) => heldAs(id) === undefined && !isOlder(id, former, generations))
  if (former === undefined) return isGivenUp || !hasLostFormer(generations) ? undefined : { keyId: undefined }
  if (former.revokedAt !== undefined) return undefined
  // What retires or ends has had a successor: when that was not taken back, it should be here.
  const isTakenBack = generations.some(
    (one) => one.number > former.number && one.revokedAt !== undefined && cameIntoUse(one),
  )
  return isTakenBack || isGivenUp ? undefined : { keyId: undefined }
}

/**
 * Whether the key came before the one that is missing: its Secret was deleted after its revocation, or after it retired.
 * Then its revocation does not give up the key that is missing.
 */
const isOlder = (id: string, former: Generation | undefined, generations: readonly Generation[]): boolean => {
  const newest = inOrder(generations).at(-1)
  const older = former === undefined ? newest?.lineage.slice(0, -1) : former.lineage
  return isRemembered(id, generations) || (older ?? []).some(({ keyId }) => keyId === id)
}

/** Where all that is left was taken back and the newest never came into use, another one was in use, and should be here. */
const hasLostFormer = (generations: readonly Generation[]): boolean => {
  const newest = inOrder(generations).at(-1)
  if (newest === undefined || cameIntoUse(newest)) return false
  const formerId = newest.lineage.at(-1)?.keyId
  return !generations.some(({ keyId }) => keyId === formerId)
}
