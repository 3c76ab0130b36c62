import {
  droppedAnnotation,
  keyIdAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
} from '../../src/pure/names.ts'
import { isTerminating, keyOf, printKey } from '../../src/pure/object.ts'
import { parseRevokedKeys } from '../../src/pure/revoked-keys.ts'
import type { SecretObject } from '../kit/suite.ts'
import { holds, isMeantByUs } from './early-end.ts'

/** The agent's replicas, and the other key generations. */
interface Meanwhile {
  readonly copies: readonly SecretObject[]
  readonly others: readonly SecretObject[]
}

/**
 * I3 and I10 for a key that does not retire: its deletion is confirmed only when it is revoked, the last pod has dropped
 * it, no replica holds it, and another generation, which is neither revoked nor terminating, remembers it.
 */
export const deletedTooEarly = (
  before: SecretObject | undefined,
  after: SecretObject,
  { copies, others }: Meanwhile,
): string[] => {
  const { annotations = {} } = after.metadata
  const isRevoked = annotations[revokedAnnotation] !== undefined
  if (!isMeantByUs(after) || (before !== undefined && isMeantByUs(before))) return []
  if (!isRevoked && annotations[retiresAnnotation] !== undefined) return []
  const name = printKey(keyOf(after))
  if (!isRevoked) return [`I10 ${name} is to be deleted, and neither retires nor is revoked`]
  const keyId = annotations[keyIdAnnotation] ?? ''
  const holders = copies.filter((copy) => !isTerminating(copy) && holds(copy, keyId))
  return [
    ...(annotations[droppedAnnotation] === undefined ? [`I10 ${name} is to be deleted before pods dropped it`] : []),
    ...(others.some((other) => remembers(other, keyId)) ? [] : [`I3 ${name} is to be deleted, and is not remembered`]),
    ...holders.map((copy) => `I10 ${name} is to be deleted while ${printKey(keyOf(copy))} holds its key`),
  ]
}

const remembers = (secret: SecretObject, keyId: string): boolean => {
  const { annotations = {} } = secret.metadata
  const isKept = annotations[revokedAnnotation] === undefined && !isTerminating(secret)
  return isKept && parseRevokedKeys(annotations[revokedKeysAnnotation]).some((key) => key.keyId === keyId)
}
