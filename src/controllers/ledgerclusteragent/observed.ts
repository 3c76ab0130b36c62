import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import type { Consumption } from '../../pure/key-rollout.ts'
import type { Known } from '../../pure/known.ts'
import { withEntriesApplied } from '../../pure/managed-fields.ts'
import { agentNames, agentSuccession, claimAnnotation, takeoverAnnotation } from '../../pure/names.ts'
import { type KubeObject, type ManagedFieldsEntry, type ObjectKey, printKey } from '../../pure/object.ts'

/** A Secret's metadata, and what its content comes down to. */
export interface SeenSecret extends KubeObject {
  readonly key: Known<AgentKeyDigest>
}

/** A LedgerService that the selector matches. */
export interface MatchedService {
  readonly namespace: string
  readonly name: string
  /** The scopes that its own mapping expands. */
  readonly mappedScopes: readonly string[]
  /** Whether it asks for tokens: else it has no use for keys. */
  readonly isAuthOn: boolean
}

/** What a service has of the agents' keys, and whether this agent's shall be among them. */
export interface SeenConsumer extends Consumption {
  readonly service: ObjectKey
  readonly isServed: boolean
  /** The ids of the keys that, as the service says, its pods have or may have. */
  readonly told: ReadonlySet<string>
  /** Whether the service is gone, and its pods are still there. */
  readonly isOrphaned: boolean
}

/** A service that accepts a key of this agent. */
export interface Listing {
  readonly service: ObjectKey
  readonly keyId: string | undefined
  /** Whether this operator leaves the service alone: it is paused, or another installation's. */
  readonly isOutOfReach: boolean
}

/** All that the decision on one agent needs. No key material is in here. */
export interface Observed {
  readonly object: LedgerClusterAgent
  readonly operatorNamespace: string
  /** Whether labelled copies are adopted without asking. */
  readonly adoptsLabelled: boolean
  /** The agent's keys: the Secrets at the names of its generations in the operator's namespace, from the first on. */
  readonly generations: readonly SeenSecret[]
  /** The Secrets at the replica's name, by namespace. */
  readonly replicas: ReadonlyMap<string, SeenSecret>
  /** Labelled Secrets at names that copies once had, and canonical Secrets in other namespaces than ours. */
  readonly relics: readonly SeenSecret[]
  /** Where the agent has no claim yet: keys in the operator's namespace that were made for another agent of its name. */
  readonly leftKeys: readonly KubeObject[]
  /** What the selector matches, or why it means nothing. */
  readonly matched: { readonly services: readonly MatchedService[] } | { readonly fault: string }
  readonly listings: readonly Listing[]
  /** The services that accept the agent's keys, or shall. */
  readonly consumers: readonly SeenConsumer[]
  /** The namespaces of interest that exist, and whether they are going; and those that we may not look at. */
  readonly namespaces: ReadonlyMap<string, 'active' | 'terminating' | 'out-of-scope'>
  /** Why the live look that the situation asks for could not be had. */
  readonly doubt: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The namespaces that an agent's key goes to, in order; blanks and repetitions do not count. */
export const targetNamespacesOf = ({ object, matched }: Pick<Observed, 'object' | 'matched'>): readonly string[] => {
  // While the selector means nothing, what it meant before is the best that we know.
  const services = 'services' in matched ? matched.services : (object.status?.matchedServices ?? [])
  const namespaces = [...(object.spec?.additionalNamespaces ?? []), ...services.map(({ namespace }) => namespace)]
  return [...new Set(namespaces)].filter((namespace) => namespace.trim() !== '').sort()
}

/** The key that the agent has by its status. The former operator blanks it where there is no target. */
export const keyIdOf = ({ status }: LedgerClusterAgent): string | undefined =>
  status?.keyID === '' ? undefined : status?.keyID

/** Services that accept a key of the agent and have to do with it: of others anybody may say what he likes. */
export const concernedListingsOf = ({ object, matched, listings }: Observed): readonly Listing[] => {
  const { matchedServices = [], matchedServiceCount = 0 } = object.status ?? {}
  // Where the selector means nothing and not all that it matched are listed, any service may be one of them.
  if ('fault' in matched && matchedServiceCount > matchedServices.length) return listings
  const services = [...('services' in matched ? matched.services : []), ...matchedServices]
  const concerned = new Set(services.map(printKey))
  const keyIds = [keyIdOf(object), ...(object.status?.generations ?? []).map(({ keyID }) => keyID)]
  return listings.filter(
    ({ service, keyId }) => concerned.has(printKey(service)) || (keyId !== undefined && keyIds.includes(keyId)),
  )
}

/** Where the status says that a copy is, and we may not look. */
export const outOfScopeNamespacesOf = ({ object, namespaces }: Observed): readonly string[] =>
  formerNamespacesOf(object).filter((namespace) => namespaces.get(namespace) === 'out-of-scope')

/** Where the agent's keys are, as far as the agent itself tells. */
export const generationNamesOf = ({ metadata: { name }, status }: LedgerClusterAgent): readonly string[] =>
  [...new Set([1, ...(status?.generations ?? []).map(({ generation }) => generation)])].map((number) =>
    agentNames.generation(name, number),
  )

/** The namespaces where copies were, by the status. */
export const formerNamespacesOf = ({ status }: LedgerClusterAgent): readonly string[] =>
  (status?.distributedSecretRefs ?? []).map(({ namespace }) => namespace)

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

/** Whether what the former operator left of this agent has not been looked through yet. */
export const isBeingTakenOver = ({ object }: Observed): boolean =>
  object.metadata.annotations?.[takeoverAnnotation] !== undefined

/** Whether every copy of the agent's key is ours to take for its identity. */
export const mayAdoptUnasked = (observed: Observed): boolean => observed.adoptsLabelled || isBeingTakenOver(observed)
