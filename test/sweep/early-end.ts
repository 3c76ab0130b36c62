import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { ownedFieldsOf } from '../../src/pure/managed-fields.ts'
import {
  agentNames,
  deleteAnnotation,
  keyIdAnnotation,
  retiresAnnotation,
  revokedAnnotation,
} from '../../src/pure/names.ts'
import { isTerminating, keyOf, printKey } from '../../src/pure/object.ts'
import type { SecretObject } from '../kit/suite.ts'

/** The agent's copies, and the latest that a clock of the run has shown: no operator meant anything after that. */
interface Meanwhile {
  readonly copies: readonly SecretObject[]
  readonly now: number
}

/** I3 at the end of an overlap: what retires is given up only when its time has come, and nobody holds a copy of it. */
export const endedTooEarly = (
  before: SecretObject | undefined,
  after: SecretObject,
  { copies, now }: Meanwhile,
): string[] => {
  const retiresAt = after.metadata.annotations?.[retiresAnnotation]
  const isRevoked = after.metadata.annotations?.[revokedAnnotation] !== undefined
  if (retiresAt === undefined || isRevoked) return []
  if (!isMeantByUs(after) || (before !== undefined && isMeantByUs(before))) return []
  const name = printKey(keyOf(after))
  const holders = copies.filter(
    (copy) => !isTerminating(copy) && holds(copy, after.metadata.annotations?.[keyIdAnnotation]),
  )
  return [
    ...(Date.parse(retiresAt) > now ? [`I3 ${name} was given up before its time`] : []),
    ...holders.map((copy) => `I3 ${name} was given up while ${printKey(keyOf(copy))} held its key`),
  ]
}

export const holds = ({ data = {} }: SecretObject, keyId: string | undefined): boolean => {
  const digest = digestAgentKey(data)
  return digest.is === 'sound' && digest.keyId === keyId
}

/** People may mean it too. */
export const isMeantByUs = ({ metadata: { annotations = {}, managedFields } }: SecretObject): boolean => {
  const owned = ownedFieldsOf(managedFields, agentNames.manager)['f:metadata']?.['f:annotations']
  const meant = annotations[deleteAnnotation]
  return meant !== undefined && meant === annotations[keyIdAnnotation] && owned?.[`f:${deleteAnnotation}`] !== undefined
}
