import { spawn } from 'node:child_process'
import { seconds } from '../pure/duration.ts'
import type { Clock } from './clock.ts'

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  /** Added to our own environment. */
  readonly env: Readonly<Record<string, string>>
}

export type Outcome = { readonly stdout: string } | { readonly fault: string }

const longestRun = seconds(60)
const longestOutput = 1024 * 1024

/** Runs a program to its end. It has nobody to ask, and what it complains about is not ours to repeat: it may be secret. */
export const runCommand = ({ command, args, env }: Command, clock: Clock): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
    const end = (outcome: Outcome) => {
      callOff()
      // Both are idle already when the program ended by itself.
      child.kill('SIGKILL')
      child.stdout.destroy()
      resolve(outcome)
    }
    const callOff = clock.after(longestRun, () => end({ fault: 'took longer than 60 s' }))
    const chunks: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > longestOutput) end({ fault: 'printed far too much' })
    })
    child.once('error', (error: NodeJS.ErrnoException) => end({ fault: `could not be started (${error.code ?? ''})` }))
    child.once('close', (code, signal) =>
      end(code === 0 ? { stdout: Buffer.concat(chunks).toString('utf8') } : { fault: endingOf(code, signal) }),
    )
  })

const endingOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  code === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${code}`
