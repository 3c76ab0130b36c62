import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { isTerminating, printKey } from '../../pure/object.ts'
import { listed } from '../../pure/wording.ts'
import { CommandFailure } from '../command-failure.ts'
import { agentNamed } from './agents.ts'
import { keyIdOf, withoutKey } from './status-key.ts'

/** One of an agent's keys, as its status tells of it. */
type Key = NonNullable<NonNullable<LedgerClusterAgent['status']>['generations']>[number]

/** An agent that has keys, and keeps them. */
export const agentWithKeys = async (client: Client, name: string | undefined): Promise<LedgerClusterAgent> => {
  const agent = await agentNamed(client, name)
  if (isTerminating(agent)) {
    throw new CommandFailure('notFound', `agent "${agent.metadata.name}" is being deleted, and its keys go with it`)
  }
  if (keyIdsOf(agent).length === 0) throw withoutKey(agent, undefined)
  return agent
}

/** The ids of all its keys: a status that lists no generations still names the current one. */
export const keyIdsOf = (agent: LedgerClusterAgent): readonly string[] => {
  const current = keyIdOf(agent)
  const ids = keysOf(agent).map(({ keyID }) => keyID)
  return current === undefined || ids.includes(current) ? ids : [...ids, current]
}

export const hasKey = (agent: LedgerClusterAgent, keyId: string): boolean => keyIdsOf(agent).includes(keyId)

export const keysOf = ({ status }: LedgerClusterAgent): readonly Key[] => status?.generations ?? []

export const isRevoked = (agent: LedgerClusterAgent, keyId: string): boolean =>
  keysOf(agent).some(({ keyID, state }) => keyID === keyId && state === 'Revoked')

/** The services that take note when its keys change; undefined when there are none. */
export const printServices = ({ status }: LedgerClusterAgent): string | undefined => {
  const services = status?.matchedServices ?? []
  if (services.length === 0) return undefined
  const names = services.map((service) => printKey(service))
  const count = status?.matchedServiceCount ?? services.length
  return `${count === 1 ? '1 service' : `${count} services`} (${listed(names, count)})`
}
