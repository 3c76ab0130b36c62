import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { SecretMemo } from '../../kube/secret-memo.ts'
import { agentKeyOf, agentSeedLength, digestAgentKey } from '../../pure/agent-key.ts'
import { Namespace, Secret } from '../../pure/kind.ts'
import { agentNames, keyIdAnnotation } from '../../pure/names.ts'
import type { Controller } from '../../runtime/controller.ts'
import { decide } from './decide.ts'
import { observe } from './observe.ts'
import { rights } from './rights.ts'
import { type Observed, targetNamespacesOf } from './observed.ts'

/** Keeps one key pair for each LedgerClusterAgent, and a copy of it in each namespace that it names. */
export const ledgerClusterAgentController = (operatorNamespace: string): Controller<Observed> => {
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
          indexes: { namespace: targetNamespacesOf },
        },
        requests: ({ metadata }) => [metadata.name],
      },
      {
        view: {
          kind: Secret,
          choice: { label: agentNames.label },
          extent: 'metadata',
          indexes: { name: ({ metadata }) => [metadata.name] },
          inspector: memo,
          includesOwn: true,
        },
        // A Secret at one of our names concerns that agent, whatever its label says.
        requests: ({ metadata }) => agentNames.ofSecret(metadata.name),
      },
      {
        view: { kind: Namespace, choice: {}, extent: 'metadata', indexes: {} },
        requests: ({ metadata }, find) =>
          find(LedgerClusterAgent, 'namespace', metadata.name).map((agent) => agent.metadata.name),
      },
    ],
    // The API server is no faster with more writes at once.
    concurrency: 32,
    recipes: {
      'agent-key': {
        bytes: agentSeedLength,
        make: (seed) => {
          const key = agentKeyOf(seed)
          const data = { ...key, 'seed.hex': key['seed.hex'].reveal() }
          return { data, annotations: { [keyIdAnnotation]: key['key-id'] } }
        },
      },
    },
    rights,
    observe: (name, reads) => observe(name, { reads, memo, operatorNamespace }),
    decide,
  }
}
