import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { spec as specSchema } from '../../api/ledgerclusteragent-schema.ts'
import { structuralSchemaOf } from '../../api/structural.ts'
import { apiVersionOf } from '../../pure/kind.ts'
import { CommandFailure } from '../command-failure.ts'
import { askForConsent, askName } from './ask.ts'
import { type Where, withCluster } from './cluster.ts'
import { consentTo } from './consent.ts'
import { matchesEverything } from './describe.ts'
import type { Format } from './format.ts'
import { manager } from './field-manager.ts'
import { printName, printValue, withoutNoise } from './output.ts'
import { setPath } from './set-path.ts'
import { canAsk, terminal } from './terminal.ts'

interface Options extends Where {
  readonly output: Format
  readonly set?: readonly string[]
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** Makes an agent, after showing it; a dry run only prints it. */
export const createAgent = async (name: string | undefined, options: Options): Promise<void> => {
  const { output, set = [], yes = false, dryRun = false, ...where } = options
  const agent = renderAgent(await nameFor(name), set)
  if (matchesEverything(agent.spec.selector)) process.stderr.write(emptySelector)
  if (dryRun) {
    process.stdout.write(printAgent(agent, output === 'table' ? 'yaml' : output))
    return
  }
  await askBefore(agent, yes)
  const created = await withCluster(where, (client) =>
    client.create<LedgerClusterAgent>(LedgerClusterAgent, agent, manager),
  )
  process.stdout.write(
    output === 'table' ? `${printName(created.metadata.name)} created\n` : printAgent(withoutNoise(created), output),
  )
}

const emptySelector =
  'warning: the selector is empty, so this agent matches every service in the cluster; narrow it with --set selector.matchLabels.LABEL=VALUE\n'

const printAgent = (agent: Named, format: Exclude<Format, 'table'>): string =>
  format === 'name' ? `${printName(agent.metadata.name)}\n` : printValue(agent, format)

interface Named {
  readonly metadata: { readonly name: string }
}

const nameFor = async (given: string | undefined): Promise<string> => {
  if (given === undefined && !canAsk(terminal())) {
    throw new CommandFailure('usage', 'say how the agent shall be called: kubectl ledger agents create NAME')
  }
  const name = given ?? (await askName('Name of the agent?'))
  if (name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)) return name
  const rule = 'lower-case letters, digits, dashes and dots, at most 63 of them, with a letter or digit at both ends'
  throw new CommandFailure('usage', `"${name}" is no name for an agent: take ${rule}`)
}

const renderAgent = (name: string, set: readonly string[]) => {
  const schema = structuralSchemaOf(specSchema)
  const spec = set.reduce<object>((object, assignment) => setPath(schema, object, assignment), { selector: {} })
  return {
    apiVersion: apiVersionOf(LedgerClusterAgent),
    kind: LedgerClusterAgent.kind,
    metadata: { name },
    spec: spec as { readonly selector: unknown },
  }
}

const askBefore = async (agent: object, yes: boolean): Promise<void> => {
  if (consentTo('create it, or --dry-run to see it', yes) === 'given') return
  process.stderr.write(printValue(agent, 'yaml'))
  await askForConsent('Create it?')
}
