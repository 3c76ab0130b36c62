import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { Reads } from '../../kube/reads.ts'
import { type Inspector, labelled, type View } from '../../kube/view.ts'
import { type KeyList, keysListedIn } from '../../pure/key-list.ts'
import { ConfigMap, type Kind, Pod, Secret, Service, ServiceAccount, StatefulSet } from '../../pure/kind.ts'
import { agentNames, serviceNames } from '../../pure/names.ts'
import { keyOf, type KubeObject, type ObjectMeta, printKey } from '../../pure/object.ts'
import type { Watched } from '../../runtime/controller.ts'
import { isMatchedBy } from './observe-agents.ts'
import type { SeenPod } from './observed.ts'

/** What a service depends on, and which services a change of it concerns. */
export const watchesWith = (memo: Inspector, operatorNamespace: string): readonly Watched[] => [
  {
    view: { kind: LedgerService, choice: {}, extent: 'whole', indexes: {} },
    requests: (service) => [printKey(keyOf(service))],
  },
  {
    view: {
      kind: LedgerClusterAgent,
      choice: {},
      extent: 'whole',
      indexes: { name: ({ metadata }) => [metadata.name] },
    },
    requests: (agent, cluster) => [
      ...servicesMatchedBy(agent, cluster),
      ...servicesThatList(agent.metadata.name, cluster),
    ],
  },
  {
    view: {
      kind: Secret,
      choice: { label: agentNames.label },
      extent: 'metadata',
      indexes: { [agentNames.label]: ({ metadata }) => [metadata.labels?.[agentNames.label] ?? ''] },
      inspector: memo,
      includesOwn: true,
    },
    requests: ({ metadata }, cluster) =>
      metadata.namespace === operatorNamespace
        ? servicesOfAgent(metadata.labels?.[agentNames.label] ?? '', cluster)
        : [],
  },
  { view: keyListView, requests: servicesOf },
  ...[StatefulSet, Service, ServiceAccount].map((kind) => ({ view: childView(kind), requests: servicesOf })),
  { view: podView, requests: servicesByLabel },
]

const childView = (kind: Kind): View => ({
  kind,
  choice: labelled(serviceNames.managedBy),
  extent: 'whole',
  indexes: { service: (child) => servicesByLabel(child) },
})

const keyListView: View<KeyList> = {
  kind: ConfigMap,
  choice: labelled(serviceNames.managedBy),
  extent: 'whole',
  indexes: { agent: ({ data = {} }) => [...new Set(keysListedIn(data).map(({ agent }) => agent))] },
}

/** Of pods there are many, and most of each is never read. */
const podView: View<SeenPod> = {
  kind: Pod,
  choice: labelled({ label: 'app.kubernetes.io/name', value: 'ledger' }),
  extent: 'whole',
  project: ({ apiVersion, kind, metadata, status = {} }) => {
    const { phase, conditions = [], containerStatuses = [] } = status
    return {
      apiVersion,
      kind,
      metadata: slim(metadata),
      status: {
        ...(phase !== undefined && { phase }),
        conditions: conditions.filter(({ type }) => type === 'PodScheduled' || type === 'Ready'),
        containerStatuses: containerStatuses.map(({ name, state = {}, lastState = {} }) => ({
          name,
          state,
          lastState,
        })),
      },
    }
  },
  indexes: { service: (pod) => servicesByLabel(pod) },
}

const slim = ({
  namespace = '',
  name,
  uid,
  resourceVersion,
  labels = {},
  deletionTimestamp,
}: ObjectMeta): ObjectMeta => ({
  namespace,
  name,
  uid,
  resourceVersion,
  labels,
  ...(deletionTimestamp !== undefined && { deletionTimestamp }),
})

const servicesMatchedBy = (agent: LedgerClusterAgent, cluster: Pick<Reads, 'list'>): readonly string[] =>
  cluster
    .list<LedgerService>(LedgerService)
    .filter((service) => isMatchedBy(agent, service))
    .map((service) => printKey(keyOf(service)))

/** Also those that match no longer, or of which nobody knows whether they do: what they list may have to go. */
const servicesThatList = (agent: string, cluster: Pick<Reads, 'find'>): readonly string[] =>
  cluster.find(ConfigMap, 'agent', agent).flatMap(servicesOf)

const servicesOfAgent = (agent: string, cluster: Pick<Reads, 'find' | 'list'>): readonly string[] => [
  ...cluster
    .find<LedgerClusterAgent>(LedgerClusterAgent, 'name', agent)
    .flatMap((one) => servicesMatchedBy(one, cluster)),
  ...servicesThatList(agent, cluster),
]

const servicesByLabel = ({ metadata: { namespace, labels } }: KubeObject): readonly string[] => {
  const name = labels?.['app.kubernetes.io/instance']
  return name === undefined ? [] : [printKey({ namespace, name })]
}

/** By its name, its label and its owner: somebody may have changed any of these. */
const servicesOf = (child: KubeObject): readonly string[] => {
  const { namespace, name, ownerReferences = [] } = child.metadata
  const names = [
    ...(/^ledger-(.+?)(?:-headless|-auth-keys)?$/.exec(name)?.slice(1) ?? []),
    ...ownerReferences.filter(({ kind }) => kind === LedgerService.kind).map((owner) => owner.name),
  ]
  const byName = names.map((service) => printKey({ namespace, name: service }))
  return [...new Set([...byName, ...servicesByLabel(child)])]
}
