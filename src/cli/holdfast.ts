#!/usr/bin/env node
import { basename } from 'node:path'
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import { createLedgerProgram } from './ledger/program.ts'
import { createProgram } from './program.ts'

// One program under several names, by which it is linked: kubectl finds its plugins, and who completes them, so.
const calledAs = basename(process.argv[1] ?? '', '.js')
const isPlugin = calledAs === 'kubectl-ledger' || calledAs === 'kubectl_complete-ledger'

// Who reads has gone, as in a pipe to `head`: there is nothing left to do, and nobody to tell.
process.stdout.once('error', () => process.exit(isPlugin ? exitCodes.error : exitCodes.trouble))

const words = process.argv.slice(2)
const args = calledAs === 'kubectl_complete-ledger' ? ['complete', '--', ...words] : words

try {
  await (isPlugin ? createLedgerProgram() : createProgram()).parseAsync(args, { from: 'user' })
} catch (error) {
  // Commander has said what is wrong already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  else {
    const { exitCodeOf } = await import('./failure.ts')
    const name = isPlugin ? 'kubectl-ledger' : 'holdfast'
    const message = error instanceof Error ? error.message : String(error)
    // It may quote an object, whose words shall not steer the terminal.
    process.stderr.write(`${name}: ${message.replaceAll(/(?!\n)\p{Cc}/gu, '\ufffd')}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
