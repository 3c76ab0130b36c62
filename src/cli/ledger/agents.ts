import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { pagesOf } from '../../kube/pages.ts'
import { CommandFailure } from '../command-failure.ts'
import { askWhich } from './ask.ts'
import { nameChoice, terminal } from './terminal.ts'

/** All agents, by name. */
export const allAgents = async (client: Client): Promise<readonly LedgerClusterAgent[]> => {
  const pages = await Array.fromAsync(pagesOf<LedgerClusterAgent>(client, LedgerClusterAgent, {}, { extent: 'whole' }))
  return pages.flatMap(({ items }) => items).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
}

/** The agent of this name; when none is given the only one that there is, or the one that a person picks. */
export const agentNamed = async (client: Client, name: string | undefined): Promise<LedgerClusterAgent> => {
  if (name === undefined) return pickOf(await allAgents(client))
  // The server would take an empty name for a question about all.
  const agent = name === '' ? undefined : await client.get<LedgerClusterAgent>(LedgerClusterAgent, { name })
  if (agent !== undefined) return agent
  throw new CommandFailure(
    'notFound',
    `there is no agent "${name}": see which there are with: kubectl ledger agents list`,
  )
}

/** Nothing is done to an agent that is not the one that somebody has seen and agreed on. */
export const noLongerShown = ({ metadata }: LedgerClusterAgent, what: string, cause: unknown): CommandFailure =>
  new CommandFailure(
    'conflict',
    `agent "${metadata.name}" is not the one any more that was shown: look at it again before you ${what}`,
    cause,
  )

const pickOf = async (agents: readonly LedgerClusterAgent[]): Promise<LedgerClusterAgent> => {
  const names = agents.map(({ metadata }) => metadata.name)
  const choice = nameChoice(names, terminal())
  const noAgents = new CommandFailure(
    'notFound',
    'there are no agents: make one with: kubectl ledger agents create NAME',
  )
  if (choice === 'none') throw noAgents
  if (choice === 'refuse') {
    throw new CommandFailure(
      'usage',
      `there are ${names.length} agents: say which one by its name (${printSome(names)})`,
    )
  }
  const picked = choice === 'only' ? names[0] : await askWhich('Which agent?', names)
  const agent = agents.find(({ metadata }) => metadata.name === picked)
  if (agent === undefined) throw noAgents
  return agent
}

const printSome = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')}, …` : names.join(', ')
