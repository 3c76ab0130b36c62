import { type Command, Option } from 'commander'
import type { Format } from './format.ts'

/** Every option that any of the commands has. */
interface Options {
  readonly kubeconfig?: string
  readonly context?: string
  readonly output: Format
  readonly watch?: boolean
  readonly set?: readonly string[]
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly bundle?: string
  readonly outputDir?: string
  readonly seedOnly?: boolean
  readonly showSecret?: boolean
}

const optionsOf = (command: Command): Options => command.optsWithGlobals<Options & Record<string, unknown>>()

export const addAgents = (program: Command): void => {
  const agents = program
    .command('agents')
    .aliases(['agent', 'ag'])
    .description('the identities that sign tokens for ledgers')
  addReading(agents)
  addCreate(agents)
  addDelete(agents)
  addGetKey(agents)
}

const addReading = (agents: Command): void => {
  agents
    .command('list')
    .alias('ls')
    .description('show all agents')
    .option('-w, --watch', 'show every change too, until interrupted')
    .action(async (_: unknown, command: Command) => {
      const { listAgents } = await import('./agents-list.ts')
      await listAgents(optionsOf(command))
    })
  agents
    .command('get')
    .description('show an agent')
    .argument('[name]', 'the agent')
    .option('-w, --watch', 'show every change, until interrupted')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const { getAgent } = await import('./agents-get.ts')
      await getAgent(name, optionsOf(command))
    })
}

const addCreate = (agents: Command): void => {
  agents
    .command('create')
    .description('make an agent')
    .argument('[name]', 'how it shall be called')
    .option('--set <path=value>', 'a field of its spec, such as scopes=ledger:read; may be given again', collect)
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'print what would be made, and make nothing')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const { createAgent } = await import('./agents-create.ts')
      await createAgent(name, optionsOf(command))
    })
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

const addDelete = (agents: Command): void => {
  agents
    .command('delete')
    .aliases(['rm', 'del'])
    .description('delete an agent, and its key with it')
    .argument('[name]', 'the agent')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const { deleteAgent } = await import('./agents-delete.ts')
      await deleteAgent(name, optionsOf(command))
    })
}

const addGetKey = (agents: Command): void => {
  const exclusive = (flags: string, what: string, ...others: readonly string[]) =>
    new Option(flags, what).conflicts([...others])
  agents
    .command('get-key')
    .description('hand out the key of an agent')
    .argument('[name]', 'the agent')
    .addOption(exclusive('--bundle <file>', 'write what ledgerctl logs in with; -: to stdout', 'outputDir', 'seedOnly'))
    .addOption(exclusive('-d, --output-dir <dir>', 'write seed.hex and pubkey.hex there', 'bundle', 'seedOnly'))
    .addOption(exclusive('--seed-only', 'print the private key alone', 'bundle', 'outputDir'))
    .option('--show-secret', 'show the private key, on a terminal too')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const { getKey } = await import('./agents-get-key.ts')
      await getKey(name, optionsOf(command))
    })
}
