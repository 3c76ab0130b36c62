import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import { SecretMemo } from '../../kube/secret-memo.ts'
import { agentKeyOf, agentSeedLength, digestAgentKey } from '../../pure/agent-key.ts'
import { ConfigMap, Namespace, Secret } from '../../pure/kind.ts'
import { agentNames, keyIdAnnotation } from '../../pure/names.ts'
import { keyOf, printKey } from '../../pure/object.ts'
import type { Controller } from '../../runtime/controller.ts'
import { decide } from './decide.ts'
import { observe } from './observe.ts'
import { rights } from './rights.ts'
import { agentsIn, agentsThatSelect, keyListView, serviceView } from './observe-services.ts'
import type { Observed } from './observed.ts'

export interface AgentSettings {
  /** Whether labelled copies from before are adopted without asking, as the former operator does it. */
  readonly adoptsLabelled: boolean
}

/** Keeps one key pair for each LedgerClusterAgent, and a copy of it in each namespace that uses it. */
export const ledgerClusterAgentController = (
  operatorNamespace: string,
  { adoptsLabelled }: AgentSettings = { adoptsLabelled: false },
): Controller<Observed> => {
  const memo = new SecretMemo(digestAgentKey)
  return {
    name: agentNames.manager,
    reconciles: LedgerClusterAgent,
    watches: [
      {
        view: {
          kind: LedgerClusterAgent,
          choice: {},
          extent: 'whole',
          indexes: { namespace: namespacesNamedBy },
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
            agent: ({ metadata }) => [metadata.labels?.[agentNames.label] ?? ''],
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
            .flatMap((service) => agentsThatSelect(service.metadata.labels ?? {}, cluster)),
        ],
      },
      {
        view: serviceView,
        requests: (service, cluster) => [
          ...agentsThatSelect(service.metadata.labels ?? {}, cluster),
          ...cluster.find(ConfigMap, 'service', printKey(keyOf(service))).flatMap(agentsIn),
        ],
      },
      { view: keyListView, requests: agentsIn },
    ],
    // The API server is no faster with more writes at once.
    concurrency: 32,
    recipes: {
      'agent-key': {
        bytes: agentSeedLength,
        make: (seed) => {
          const data = agentKeyOf(seed)
          return { data, annotations: { [keyIdAnnotation]: data['key-id'] } }
        },
      },
    },
    rights,
    observe: (name, reads) => observe(name, { reads, memo, operatorNamespace, adoptsLabelled }),
    decide,
  }
}

/** Where the agent's key goes, as far as the agent itself tells. */
const namespacesNamedBy = ({ spec, status }: LedgerClusterAgent): readonly string[] => [
  ...(spec?.additionalNamespaces ?? []),
  ...(status?.matchedServices ?? []).map(({ namespace }) => namespace),
]
