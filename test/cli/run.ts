import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../src/cli/holdfast.ts', import.meta.url))

type Environment = Readonly<Record<string, string>>

/** Runs `holdfast` as a person would, with its output piped. */
export const runHoldfast = (args: readonly string[], env: Environment = {}) => runFile(program, args, env)

/** The same, by whatever name the program is linked. */
export const runFile = (file: string, args: readonly string[], env: Environment = {}) => {
  const { POD_NAMESPACE: _, ...inherited } = process.env
  const child = spawn(process.execPath, [file, ...args], { env: { ...inherited, ...env } })
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  return { child, exit, stdout: text(child.stdout), stderr: text(child.stderr) }
}
