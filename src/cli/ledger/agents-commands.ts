import { type Command, InvalidArgumentError, Option } from 'commander'
import { minutes, spanOf } from '../../pure/duration.ts'
import type { Patience } from './await-agent.ts'
import type { Format } from './format.ts'

/** Every option that any of the commands has. */
interface Options {
  readonly kubeconfig?: string
  readonly context?: string
  readonly output: Format
  readonly watch?: boolean
  readonly set?: readonly string[]
  readonly yes?: boolean
  readonly wait?: boolean
  readonly timeout?: Patience
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
  addRotate(agents)
  addRevoke(agents)
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

const addRotate = (agents: Command): void => {
  const rotate = agents
    .command('rotate')
    .description('exchange the key of an agent, with both keys accepted for a while')
    .argument('[name]', 'the agent')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const options = waitingOptionsOf(command)
      const { rotateAgent } = await import('./agents-rotate.ts')
      await rotateAgent(name, options)
    })
  addWaiting(rotate, 'wait until the new key is current')
}

const addRevoke = (agents: Command): void => {
  const revoke = agents
    .command('revoke')
    .description('take a key of an agent back: nothing that was signed with it is accepted any more')
    .argument('<name>', 'the agent')
    .argument('<key-id>', 'the id of the key, in full')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, keyId: string, _: unknown, command: Command) => {
      const options = waitingOptionsOf(command)
      const { revokeKey } = await import('./agents-revoke.ts')
      await revokeKey(name, keyId, options)
    })
  addWaiting(revoke, 'wait until the last pod has dropped the key')
}

const addWaiting = (command: Command, what: string): void => {
  command
    .option('--wait', what)
    .option('--timeout <span>', `with --wait: for how long, such as 90s or 1h30m; else ${usualPatience.text}`, patience)
}

const usualPatience: Patience = { span: minutes(30), text: '30m' }

const patience = (text: string): Patience => {
  const span = spanOf(text)
  if (span === undefined) throw new InvalidArgumentError('It is no span of time.')
  return { span, text }
}

const waitingOptionsOf = (command: Command) => {
  const { wait = false, timeout, ...options } = optionsOf(command)
  if (timeout !== undefined && !wait) command.error('error: --timeout goes with --wait')
  return wait ? { ...options, wait: timeout ?? usualPatience } : options
}
