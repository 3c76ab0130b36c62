import { LedgerClusterAgent } from '../api/ledgerclusteragent.ts'
import { LedgerService } from '../api/ledgerservice.ts'
import type { Client } from '../kube/client.ts'
import { Namespace } from '../pure/kind.ts'
import { eventually } from './eventually.ts'

export const sampleFleet = {
  operatorNamespace: 'holdfast-system',
  /** Each has a ledger of its own. */
  tenants: ['team-a', 'team-b'],
  /** Has no ledger, but signs tokens for those of the others. */
  client: 'payments',
  service: 'books',
  agent: 'biller',
} as const

const labels = { env: 'production' }

const manager = 'holdfast-dev'

export const createNamespaces = async (client: Client, names: readonly string[]): Promise<void> => {
  await Promise.all(names.map((name) => client.create(Namespace, { metadata: { name } }, manager)))
}

/** Makes the tenants' ledgers, and waits until they run and have loaded their keys. */
export const createSampleServices = async (client: Client): Promise<void> => {
  const { tenants, service: name } = sampleFleet
  const spec = { auth: { enabled: true } }
  await Promise.all(
    tenants.map(async (namespace) => {
      const metadata = { namespace, name, labels }
      await client.create(LedgerService, { metadata, spec }, manager)
      await eventually(`${namespace}/${name} runs`, async () => {
        const service = await client.get<LedgerService>(LedgerService, metadata)
        const keys = service?.status?.authKeys ?? []
        return service?.status?.phase === 'Running' && keys.length > 0 && keys.every(({ state }) => state === 'Loaded')
      })
    }),
  )
}

/** Makes an agent for the services and their client, and waits until it is ready. Returns its key id. */
export const createSampleAgent = async (client: Client): Promise<string> => {
  const scopes = ['ledger:read', 'ledger:write']
  const spec = { selector: { matchLabels: labels }, scopes, additionalNamespaces: [sampleFleet.client] }
  const { metadata } = await client.create(LedgerClusterAgent, { metadata: { name: sampleFleet.agent }, spec }, manager)
  return eventually('the agent is ready', async () => {
    const agent = await client.get<LedgerClusterAgent>(LedgerClusterAgent, metadata)
    return agent?.status?.phase === 'Ready' ? agent.status.keyID : undefined
  })
}
