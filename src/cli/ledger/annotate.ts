import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { isApiError } from '../../kube/api-error.ts'
import type { Client } from '../../kube/client.ts'
import { keyOf, preconditionOf } from '../../pure/object.ts'
import { agentNamed, noLongerShown } from './agents.ts'
import { manager } from './field-manager.ts'

/**
 * Sets annotations on the agent that was shown, and on no other that has its name by then. Its operator may write its
 * status at any time, so one that has moved on is read again, once.
 */
export const annotate = async (
  client: Client,
  shown: LedgerClusterAgent,
  annotationsOf: (agent: LedgerClusterAgent) => Readonly<Record<string, string>>,
): Promise<LedgerClusterAgent> => {
  const write = (agent: LedgerClusterAgent) => {
    const marking = { on: preconditionOf(agent), set: { annotations: annotationsOf(agent) } }
    return client.mark<LedgerClusterAgent>(LedgerClusterAgent, keyOf(agent), marking, manager)
  }
  try {
    return await write(shown)
  } catch (error) {
    if (!isApiError(error, 'conflict')) throw error
    const now = await agentNamed(client, shown.metadata.name)
    if (now.metadata.uid !== shown.metadata.uid) throw noLongerShown(shown, 'change it', error)
    return write(now)
  }
}
