import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { agentNames } from '../../pure/names.ts'
import { CommandFailure } from '../command-failure.ts'

/** Why there is no key to hand out, by what the status says of it. */
export const withoutKey = (agent: LedgerClusterAgent, namespace: string | undefined): CommandFailure => {
  const { name } = agent.metadata
  const wanted = keyIdOf(agent)
  if (wanted === undefined) {
    return new CommandFailure('notReady', `agent "${name}" has no key yet: see why with: ${see(agent)}`)
  }
  const where = namespace === undefined ? 'in none of its Secrets' : `not in namespace ${namespace}`
  return new CommandFailure(
    'notFound',
    `key ${wanted} of agent "${name}" is ${where}: see what the agent says with: ${see(agent)}`,
  )
}

/** The id of the key that the status names. The former operator blanks it where there is none. */
export const keyIdOf = ({ status }: LedgerClusterAgent): string | undefined =>
  status?.keyID === '' ? undefined : status?.keyID

/** The Secret of the generation that the status calls current; where it tells of none, that of the first. */
export const currentSecretOf = ({ metadata, status }: LedgerClusterAgent): string => {
  const { generation = 1 } = status?.generations?.find(({ state }) => state === 'Current') ?? {}
  return agentNames.generation(metadata.name, generation)
}

/** What to look at when something is wrong with an agent's key. */
export const see = ({ metadata }: LedgerClusterAgent): string => `kubectl ledger agents get ${metadata.name}`
