import type { Condition, ConditionWish } from '../pure/conditions.ts'
import type { Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
// Types alone: the operator has no use for the schema, which the API server enforces, and loads quicker without.
import type { ServiceSpec, ServiceStatus } from './ledgerservice-schema.ts'

/** A ledger: a cluster of replicas that agree by Raft, with their volumes and the ways to reach them. */
export const LedgerService = {
  group: 'ledger.formance.com',
  version: 'v1alpha1',
  kind: 'LedgerService',
  plural: 'ledgerservices',
  namespaced: true,
  isCustom: true,
} as const satisfies Kind

export interface LedgerService extends KubeObject {
  readonly spec?: ServiceSpec
  readonly status?: Omit<ServiceStatus, 'conditions'> & { readonly conditions?: readonly Condition[] }
}

export type ServicePhase = 'Pending' | 'Running' | 'Degraded' | 'Error'

/**
 * Why a service is ready or not; each has an entry in docs/runbook.md.
 * @internal
 */
export const serviceReasons = [
  'AllReplicasReady',
  'ReplicasNotReady',
  'ValidationFailed',
  'UnsupportedFields',
  'NeedsRecreate',
  'TLSChangeUnsupported',
  'ForeignObject',
  'ObjectUnreadable',
  'SecretUnreadable',
  'ScaleDownUnsupported',
  'Deleting',
] as const

/**
 * What the service's other conditions say when something is wrong; these have entries too.
 * @internal
 */
export const otherServiceReasons = [
  'SelectorDrift',
  'AuthOff',
  'NobodyCanSignIn',
  'KeysPending',
  'KeyListLeft',
] as const

export type ServiceReason = (typeof serviceReasons)[number]

/** What one of its other conditions says; good news needs no entry. */
export type ServiceCondition = ConditionWish & {
  readonly reason: ServiceReason | (typeof otherServiceReasons)[number] | 'Valid' | 'Stable' | 'Published'
}
