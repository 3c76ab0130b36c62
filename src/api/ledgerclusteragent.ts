import type { Condition, ConditionWish } from '../pure/conditions.ts'
import type { Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
// Types alone: the operator has no use for the schema, which the API server enforces, and loads quicker without.
import type { AgentSpec, AgentStatus } from './ledgerclusteragent-schema.ts'

/** An identity that signs tokens for ledgers: one key pair, kept for good and handed to the namespaces that use it. */
export const LedgerClusterAgent = {
  group: 'ledger.formance.com',
  version: 'v1alpha1',
  kind: 'LedgerClusterAgent',
  plural: 'ledgerclusteragents',
  namespaced: false,
  isCustom: true,
} as const satisfies Kind

export interface LedgerClusterAgent extends KubeObject {
  readonly spec?: AgentSpec
  readonly status?: Omit<AgentStatus, 'conditions'> & { readonly conditions?: readonly Condition[] }
}

/** For how long a former key is accepted where an agent does not say. */
export const usualOverlap = '7d'

export type AgentPhase = 'Pending' | 'Ready' | 'Error'

/**
 * Why an agent is ready or not; each has an entry in docs/runbook.md.
 * @internal
 */
export const agentReasons = [
  'KeyPairReady',
  'NoTargets',
  'NamespaceMissing',
  'NamespaceTerminating',
  'OutOfScope',
  'ForeignSecret',
  'ReplicaTerminating',
  'SecretUnreadable',
  'SelectorFailed',
  'AdoptionAmbiguous',
  'AdoptionNeedsConsent',
  'AdoptionImpossible',
  'CanonicalLost',
  'CanonicalInvalid',
  'LeftoverKeys',
  'Distributing',
  'Deleting',
] as const

/**
 * What the agent's other conditions say when something is wrong; these have entries too.
 * @internal
 */
export const otherAgentReasons = [
  'BareScopes',
  'OtherKey',
  'AuthOff',
  'RotationWaiting',
  'Overlapping',
  'Revoking',
  'Revoked',
  'UnknownKey',
] as const

export type AgentReason = (typeof agentReasons)[number]

/** What one of its other conditions says; good news needs no entry. */
export type AgentCondition = ConditionWish & {
  readonly reason: AgentReason | (typeof otherAgentReasons)[number] | 'Resolved'
}
