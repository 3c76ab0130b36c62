import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { Inspector } from '../../kube/view.ts'
import { Namespace, Secret } from '../../pure/kind.ts'
import { agentNames, serviceNames } from '../../pure/names.ts'
import { printKey } from '../../pure/object.ts'
import type { Watched } from '../../runtime/controller.ts'
import {
  agentsConcernedBy,
  agentsIn,
  agentsThatSelect,
  keyListView,
  serviceView,
  workloadView,
} from './observe-services.ts'

/** What an agent depends on, and which agents a change of it concerns. */
export const watchesWith = (memo: Inspector): readonly Watched[] => [
  {
    view: {
      kind: LedgerClusterAgent,
      choice: {},
      extent: 'whole',
      indexes: { namespace: namespacesNamedBy, service: servicesNamedBy },
    },
    requests: ({ metadata }) => [metadata.name],
  },
  {
    view: {
      kind: Secret,
      choice: { label: agentNames.label },
      extent: 'metadata',
      indexes: {
        name: ({ metadata }) => [metadata.name],
        [agentNames.label]: ({ metadata }) => [metadata.labels?.[agentNames.label] ?? ''],
      },
      inspector: memo,
      includesOwn: true,
    },
    // A Secret at one of our names concerns that agent, whatever its label says.
    requests: ({ metadata }) => agentNames.ofSecret(metadata.name),
  },
  {
    view: { kind: Namespace, choice: {}, extent: 'metadata', indexes: {} },
    requests: ({ metadata }, cluster) => [
      ...cluster.find(LedgerClusterAgent, 'namespace', metadata.name).map((agent) => agent.metadata.name),
      ...cluster
        .find(LedgerService, 'namespace', metadata.name)
        .flatMap((service) => agentsThatSelect(service, cluster)),
    ],
  },
  { view: serviceView, requests: agentsConcernedBy },
  { view: keyListView, requests: agentsIn },
  {
    view: workloadView,
    requests: ({ metadata: { namespace, name } }, cluster) =>
      serviceNames.ofWorkload(name).flatMap((service) => {
        const key = printKey({ namespace, name: service })
        return [
          ...cluster.find(LedgerService, 'key', key).flatMap((one) => agentsConcernedBy(one, cluster)),
          ...cluster.find(LedgerClusterAgent, 'service', key).map((agent) => agent.metadata.name),
        ]
      }),
  },
]

/** The services that the agent matches or has matched, also those that are gone. */
const servicesNamedBy = ({ status }: LedgerClusterAgent): readonly string[] =>
  [...(status?.matchedServices ?? []), ...(status?.orphanedServices ?? [])].map(printKey)

/** Where the agent's key goes, as far as the agent itself tells. */
const namespacesNamedBy = ({ spec, status }: LedgerClusterAgent): readonly string[] => [
  ...(spec?.additionalNamespaces ?? []),
  ...(status?.matchedServices ?? []).map(({ namespace }) => namespace),
]
