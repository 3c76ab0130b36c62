import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { untilAskedToStop } from '../stop-signals.ts'
import { agentNamed } from './agents.ts'
import { type Where, withCluster } from './cluster.ts'
import { describeAgent } from './describe.ts'
import { type Change, followAgents } from './follow.ts'
import type { Format } from './format.ts'
import { printName, printValue, withoutNoise } from './output.ts'
import { changePrinter } from './print-changes.ts'

interface Options extends Where {
  readonly output: Format
  readonly watch?: boolean
}

/** Shows one agent, and with `watch` how it changes. */
export const getAgent = (name: string | undefined, { output, watch = false, ...where }: Options): Promise<void> =>
  withCluster(where, async (client) => {
    const agent = await agentNamed(client, name)
    if (!watch) {
      process.stdout.write(printAgent(agent, output))
      return
    }
    const print = changePrinter(output, () => Date.now())
    const tell = (changes: readonly Change[]) => process.stdout.write(print(changes))
    await followAgents(client, { name: agent.metadata.name }, tell, untilAskedToStop())
  })

const printAgent = (agent: LedgerClusterAgent, output: Format): string => {
  if (output === 'table') return describeAgent(agent, Date.now())
  return output === 'name' ? `${printName(agent.metadata.name)}\n` : printValue(withoutNoise(agent), output)
}
