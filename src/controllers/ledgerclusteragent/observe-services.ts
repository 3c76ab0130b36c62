import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { Reads } from '../../kube/reads.ts'
import type { View } from '../../kube/view.ts'
import { keysListedIn, type ListedKey } from '../../pure/key-list.ts'
import { ConfigMap } from '../../pure/kind.ts'
import { matcherOf } from '../../pure/label-selector.ts'
import { serviceNames } from '../../pure/names.ts'
import { keyOf, type KubeObject, type ObjectKey, printKey } from '../../pure/object.ts'
import type { Listing, Observed } from './observed.ts'

/** A service as far as agents are concerned with it. */
interface SeenService extends KubeObject {
  readonly spec?: { readonly auth?: { readonly scopeMapping?: Readonly<Record<string, unknown>> } }
}

export const serviceView: View<SeenService> = {
  kind: LedgerService,
  choice: {},
  extent: 'whole',
  project: ({ apiVersion, kind, metadata, spec }) => ({
    apiVersion,
    kind,
    metadata: { ...metadata, managedFields: [] },
    spec: { auth: { scopeMapping: spec?.auth?.scopeMapping ?? {} } },
  }),
  indexes: { namespace: ({ metadata }) => [metadata.namespace ?? ''] },
}

interface KeyList extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
  readonly listed?: readonly ListedKey[]
}

/** The services' key lists: whose keys are in them, and not the keys. */
export const keyListView: View<KeyList> = {
  kind: ConfigMap,
  choice: serviceNames.managedBy,
  extent: 'whole',
  project: ({ apiVersion, kind, metadata, data }) => ({
    apiVersion,
    kind,
    metadata: { ...metadata, managedFields: [] },
    listed: keysListedIn(data ?? {}),
  }),
  indexes: { agent: (list) => agentsIn(list), service: (list) => servicesOf(list).map(printKey) },
}

/** The service that a list belongs to, by its name. */
const servicesOf = ({ metadata: { namespace, name } }: KubeObject): readonly ObjectKey[] =>
  serviceNames.ofKeyList(name).map((service) => ({ namespace, name: service }))

export const agentsIn = ({ listed = [] }: KeyList): readonly string[] => listed.map(({ agent }) => agent)

/** The services that the agent's selector matches, also those that are going. */
export const matchedBy = ({ spec }: LedgerClusterAgent, reads: Reads): Observed['matched'] => {
  const matcher = matcherOf(spec?.selector ?? {})
  if ('fault' in matcher) return matcher
  const services = reads
    .list<SeenService>(LedgerService)
    .filter(({ metadata }) => matcher.matches(metadata.labels ?? {}))
    .sort((a, b) => (printKey(keyOf(a)) < printKey(keyOf(b)) ? -1 : 1))
    .map((service) => ({
      namespace: service.metadata.namespace ?? '',
      name: service.metadata.name,
      mappedScopes: Object.keys(service.spec?.auth?.scopeMapping ?? {}),
    }))
  return { services }
}

/** The agents whose selector matches these labels. */
export const agentsThatSelect = (
  labels: Readonly<Record<string, string>>,
  cluster: Pick<Reads, 'list'>,
): readonly string[] =>
  cluster
    .list<LedgerClusterAgent>(LedgerClusterAgent)
    .filter(({ spec }) => {
      const matcher = matcherOf(spec?.selector ?? {})
      return 'matches' in matcher && matcher.matches(labels)
    })
    .map(({ metadata }) => metadata.name)

/** The services that list a key of this agent. A list without a service is nobody's, and says nothing. */
export const listingsOf = (agent: string, reads: Reads): readonly Listing[] => {
  const lists = reads.find<KeyList>(ConfigMap, 'agent', agent)
  if (lists.length === 0) return []
  const services = new Set(reads.list(LedgerService).map((service) => printKey(keyOf(service))))
  return lists.flatMap((list) => {
    const keyId = list.listed?.find((key) => key.agent === agent)?.keyId
    return servicesOf(list)
      .filter((service) => services.has(printKey(service)))
      .map((service) => ({ service, keyId }))
  })
}
