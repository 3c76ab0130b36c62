import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import type { Known } from '../../pure/known.ts'
import { withEntriesApplied } from '../../pure/managed-fields.ts'
import { agentNames, agentSuccession, claimAnnotation } from '../../pure/names.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../pure/object.ts'

/** A Secret's metadata, and what its content comes down to. */
export interface SeenSecret extends KubeObject {
  readonly key: Known<AgentKeyDigest>
}

/** All that the decision on one agent needs. No key material is in here. */
export interface Observed {
  readonly object: LedgerClusterAgent
  readonly operatorNamespace: string
  readonly canonical: SeenSecret | undefined
  /** The Secrets at the replica's name, by namespace. */
  readonly replicas: ReadonlyMap<string, SeenSecret>
  /** The target namespaces that exist, and whether they are going; and those that we may not look at. */
  readonly namespaces: ReadonlyMap<string, 'active' | 'terminating' | 'out-of-scope'>
  /** Why the live look that the situation asks for could not be had. */
  readonly doubt: string | undefined
}

/**
 * The namespaces that an agent's key goes to, in order; blanks and repetitions do not count. Until the selector is
 * evaluated, the services that the former operator found are the only word on what it matches.
 */
export const targetNamespacesOf = ({ spec, status }: LedgerClusterAgent): readonly string[] => {
  const matched = (status?.matchedServices ?? []).map(({ namespace }) => namespace)
  const namespaces = new Set([...(spec?.additionalNamespaces ?? []), ...matched])
  return [...namespaces].filter((namespace) => namespace.trim() !== '').sort()
}

/** The agent's managed fields with what the former operator said in the status as ours; undefined when it is so. */
export const statusTakenOver = ({ object }: Observed): readonly ManagedFieldsEntry[] | undefined =>
  withEntriesApplied(object.metadata.managedFields, {
    ...agentSuccession,
    kind: LedgerClusterAgent,
    subresource: 'status',
  })

/** Whether the agent carries our finalizer and our claim: before that, nothing is done for it. */
export const isMarked = (observed: Observed): boolean =>
  observed.object.metadata.annotations?.[claimAnnotation] === observed.operatorNamespace &&
  (observed.object.metadata.finalizers ?? []).includes(agentNames.finalizer) &&
  statusTakenOver(observed) === undefined
