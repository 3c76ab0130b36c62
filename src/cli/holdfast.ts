#!/usr/bin/env node
import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import { createProgram } from './program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  // Commander has said what is wrong already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  else {
    const { exitCodeOf } = await import('./failure.ts')
    process.stderr.write(`holdfast: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
