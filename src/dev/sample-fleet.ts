import { LedgerClusterAgent } from '../api/ledgerclusteragent.ts'
import type { Client } from '../kube/client.ts'
import { Namespace } from '../pure/kind.ts'
import { eventually } from './eventually.ts'

export const sampleFleet = {
  operatorNamespace: 'holdfast-system',
  tenants: ['team-a', 'team-b', 'team-c'],
  agent: 'biller',
} as const

const manager = 'holdfast-dev'

export const createNamespaces = async (client: Client, names: readonly string[]): Promise<void> => {
  await Promise.all(names.map((name) => client.create(Namespace, { metadata: { name } }, manager)))
}

/** Makes an agent for all tenants and waits until it is ready. Returns its key id. */
export const createSampleAgent = async (client: Client): Promise<string> => {
  const spec = { selector: {}, scopes: ['ledger:read', 'ledger:write'], additionalNamespaces: sampleFleet.tenants }
  const { metadata } = await client.create(LedgerClusterAgent, { metadata: { name: sampleFleet.agent }, spec }, manager)
  return eventually('the agent is ready', async () => {
    const agent = await client.get<LedgerClusterAgent>(LedgerClusterAgent, metadata)
    return agent?.status?.phase === 'Ready' ? agent.status.keyID : undefined
  })
}
