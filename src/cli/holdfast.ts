#!/usr/bin/env node
import { basename } from 'node:path'
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import { createLedgerProgram } from './ledger/program.ts'
import { createProgram } from './program.ts'

// One program under several names, by which it is linked: kubectl finds its plugins, and who completes them, so.
const calledAs = basename(process.argv[1] ?? '', '.js')
const isPlugin = calledAs === 'kubectl-ledger' || calledAs === 'kubectl_complete-ledger'

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
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
