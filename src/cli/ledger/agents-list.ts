import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { untilAskedToStop } from '../stop-signals.ts'
import { agentHeader, agentRow } from './agent-row.ts'
import { allAgents } from './agents.ts'
import { type Where, withCluster } from './cluster.ts'
import { followAgents } from './follow.ts'
import type { Format } from './format.ts'
import { printName, printValue, withoutNoise } from './output.ts'
import { changePrinter } from './print-changes.ts'
import { printTable } from './table.ts'

interface Options extends Where {
  readonly output: Format
  readonly watch?: boolean
}

/** Shows all agents, and with `watch` how they change. */
export const listAgents = ({ output, watch = false, ...where }: Options): Promise<void> =>
  withCluster(where, async (client) => {
    if (watch) {
      const print = changePrinter(output, () => Date.now())
      await followAgents(client, {}, (changes) => process.stdout.write(print(changes)), untilAskedToStop())
      return
    }
    const agents = await allAgents(client)
    if (agents.length === 0 && output === 'table') process.stderr.write('there are no agents\n')
    else process.stdout.write(printAgents(agents, output))
  })

const printAgents = (agents: readonly LedgerClusterAgent[], output: Format): string => {
  if (output === 'table') return printTable([agentHeader, ...agents.map((agent) => agentRow(agent, Date.now()))])
  if (output === 'name') return agents.map(({ metadata }) => `${printName(metadata.name)}\n`).join('')
  return printValue({ apiVersion: 'v1', kind: 'List', items: agents.map(withoutNoise) }, output)
}
