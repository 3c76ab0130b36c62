import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLogTail } from './log-tail.ts'

/** Somebody took a port between its choosing and its use; others will do. */
export class PortTakenError extends Error {}

/**
 * The sentence for a program that ended or never got ready. Its log is copied out first, because the directory it
 * lies in goes with the failed start.
 */
export const startFailure = async (what: string, log: string, failureDirectory: string): Promise<Error> => {
  const tail = await readLogTail(log)
  if (tail === '') return new Error(`cannot start the control plane: ${what}, and it left no log`)
  const kept = join(failureDirectory, 'last-failure.log')
  await mkdir(failureDirectory, { recursive: true })
  await copyFile(log, kept)
  const message = `cannot start the control plane: ${what}; its log is ${kept} and says:\n${tail}`
  return tail.includes('address already in use') ? new PortTakenError(message) : new Error(message)
}
