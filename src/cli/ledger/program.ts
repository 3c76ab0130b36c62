import { Command, Option } from 'commander'
import { addCompletion } from '../completion-commands.ts'
import { version } from '../version.ts'
import { addAgents } from './agents-commands.ts'
import { formats } from './format.ts'

/** The commands of `kubectl ledger`. Each loads its code when it is called, so that help answers at once. */
export const createLedgerProgram = (): Command => {
  const program = new Command('kubectl ledger')
    .description('Shows, makes and hands out the identities that sign tokens for ledgers.')
    .version(version)
    .option('--kubeconfig <file>', 'how to reach the cluster; else as kubectl does')
    .option('--context <name>', 'the context of the kubeconfig to take; else its current one')
    .addOption(new Option('-o, --output <format>', 'how to print the result').choices(formats).default('table'))
    // Before the commands, which inherit them.
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  addAgents(program)
  addCompletion(program, async (words) => {
    const { printLedgerCompletions } = await import('./completion.ts')
    await printLedgerCompletions(program, words)
  })
  return program
}
