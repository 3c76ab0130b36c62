import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { awaitAgent, type Goal, type Patience } from './await-agent.ts'
import type { Where } from './cluster.ts'
import { printName } from './output.ts'
import { see } from './status-key.ts'

/** The options of a command that asks the operator to change an agent's keys. */
export interface RequestOptions extends Where {
  readonly yes?: boolean
  /** For how long to wait until it is done. */
  readonly wait?: Patience
}

interface Told extends Goal {
  readonly asked: string
  readonly patience: Patience | undefined
  readonly doneBy: (agent: LedgerClusterAgent) => string
}

/** Says what an agent was asked for, and to who waits what became of it. */
export const tellRequest = async (
  client: Client,
  agent: LedgerClusterAgent,
  { asked, patience, doneBy, ...goal }: Told,
): Promise<void> => {
  const name = printName(agent.metadata.name)
  process.stdout.write(`${name} ${asked}\n`)
  if (patience === undefined) process.stderr.write(`see how far it is with: ${see(agent)}\n`)
  else process.stdout.write(`${name} ${doneBy(await awaitAgent(client, agent, goal, patience))}\n`)
}
