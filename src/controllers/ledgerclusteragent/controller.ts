import { type AgentPhase, LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { SecretMemo } from '../../kube/secret-memo.ts'
import { agentKeyOf, agentSeedLength, digestKeySecret } from '../../pure/agent-key.ts'
import { agentNames, keyIdAnnotation } from '../../pure/names.ts'
import type { Controller } from '../../runtime/controller.ts'
import { decide } from './decide.ts'
import { observe } from './observe.ts'
import { rights } from './rights.ts'
import type { Observed } from './observed.ts'
import { watchesWith } from './watches.ts'

export interface AgentSettings {
  /** Whether labelled copies from before are adopted without asking, as the former operator does it. */
  readonly adoptsLabelled: boolean
}

/** Keeps one key pair for each LedgerClusterAgent, and a copy of it in each namespace that uses it. */
export const ledgerClusterAgentController = (
  operatorNamespace: string,
  { adoptsLabelled }: AgentSettings = { adoptsLabelled: false },
): Controller<Observed> => {
  const memo = new SecretMemo(digestKeySecret)
  return {
    name: agentNames.manager,
    reconciles: LedgerClusterAgent,
    watches: watchesWith(memo),
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
    fieldsWhenFailed: { phase: 'Error' satisfies AgentPhase },
    rights,
    observe: (name, reads) => observe(name, { reads, memo, operatorNamespace, adoptsLabelled }),
    decide,
  }
}
