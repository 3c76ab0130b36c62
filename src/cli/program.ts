import { isIP } from 'node:net'
import { Command, InvalidArgumentError, Option } from 'commander'
import { addCompletion } from './completion-commands.ts'
import { type LedgerImage, taggedImage } from './install/ledger-image.ts'
import { usualOperatorNamespace } from '../pure/names.ts'
import { eachNamespace, namespaceName } from './namespace-name.ts'
import { addPlan } from './plan/command.ts'
import { version } from './version.ts'
import { without } from './without.ts'

/** The commands. Each loads its code when it is called, so that help and version answer at once. */
export const createProgram = (): Command => {
  const program = new Command('holdfast')
    .description('Keeps what a platform has handed out working.')
    .version(version)
    // Before the commands, which inherit it.
    .exitOverride()
  addOperator(program)
  addPlan(program)
  addInstall(program)
  addDev(program)
  addVersion(program)
  addCompletion(program, async (words) => {
    const { printCompletions } = await import('./completion.ts')
    printCompletions(program, words)
  })
  return program
}

const addOperator = (program: Command): void => {
  program
    .command('operator')
    .description('run the controllers against a cluster')
    .option('--kubeconfig <file>', 'how to reach the cluster, when not as the pod that it runs in')
    .option('--watch-namespace <name>', 'work in this namespace only; may be given again', eachNamespace)
    .addOption(without('leave these kinds to somebody else'))
    .option(
      '--adopt-labelled',
      'take labelled copies of a key for the agent’s without asking, as the former operator did',
      false,
    )
    .option('--http-port <number>', 'where to serve /healthz, /readyz and /metrics; 0: anywhere', portNumber, 8080)
    .option(
      '--http-address <ip>',
      'serve them on this address only, such as 127.0.0.1 or ::1; else on all: a pod’s probes come from outside of it',
      ipAddress,
    )
    .option('--no-leader-election', 'work at once: for a process that has no rival in its namespace')
    .action(async (options: OperatorOptions) => {
      const { runOperator } = await import('./operator.ts')
      await runOperator(options)
    })
}

interface OperatorOptions {
  readonly kubeconfig?: string
  readonly watchNamespace?: readonly string[]
  readonly without: readonly string[]
  readonly adoptLabelled: boolean
  readonly httpPort: number
  readonly httpAddress?: string
  readonly leaderElection: boolean
}

const portNumber = (text: string): number => {
  const port = Number(text)
  if (/^\d+$/.test(text) && port < 65_536) return port
  throw new InvalidArgumentError('It is no number of a port.')
}

const ipAddress = (text: string): string => {
  if (isIP(text) !== 0) return text
  throw new InvalidArgumentError('It must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1.')
}

interface InstallOptions {
  readonly namespace: string
  readonly watchNamespace?: readonly string[]
  readonly without: readonly string[]
  readonly image: string
  readonly ledgerImage?: LedgerImage
  readonly check: boolean
  readonly kubeconfig?: string
}

const addInstall = (program: Command): void => {
  program
    .command('install')
    .description('print what an installation is made of, for kubectl apply --server-side -f -')
    .option('--namespace <name>', 'where the operator runs and keeps its keys', namespaceName, usualOperatorNamespace)
    .option('--watch-namespace <name>', 'work in this namespace only; may be given again', eachNamespace)
    .addOption(without('leave these kinds to somebody else'))
    .option('--image <ref>', 'the image to run', `holdfast:${version}`)
    .option('--ledger-image <ref>', 'what ledgers run whose service names no image, with a tag', taggedImage)
    .option(
      '--check',
      'say what installing would change; 0: nothing, 1: something, 3: it would take something away',
      false,
    )
    .option('--kubeconfig <file>', 'how to reach the cluster, for --check; else as kubectl does')
    .action(async (options: InstallOptions, command: Command) => {
      const { namespace: own, watchNamespace, without, image, ledgerImage, check, kubeconfig } = options
      const scope = { own, watched: watchNamespace ?? ('all' as const) }
      const installation = { scope, without, image, ledgerImage }
      if (kubeconfig !== undefined && !check) command.error('error: --kubeconfig goes with --check')
      const { printInstallation, runCheck } = await import('./install/install.ts')
      if (check) process.exitCode = await runCheck(installation, kubeconfig)
      else printInstallation(installation)
    })
}

const addDev = (program: Command): void => {
  program
    .command('dev')
    .description('start a local control plane with the operator and a sample fleet')
    .option('--exit-when-ready', 'clean up and exit once everything is ready', false)
    .action(async ({ exitWhenReady }: { exitWhenReady: boolean }) => {
      const { runDev } = await import('./dev.ts')
      await runDev({ exitWhenReady })
    })
}

const addVersion = (program: Command): void => {
  program
    .command('version')
    .description('print the version of this program')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['json']))
    .action(({ output }: { output?: 'json' }) => {
      const text = output === 'json' ? JSON.stringify({ client: { version } }) : `holdfast ${version}`
      process.stdout.write(`${text}\n`)
    })
}
