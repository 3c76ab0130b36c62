import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/cli/holdfast.ts', import.meta.url))

/** Runs `holdfast` as a person would, with its output piped. */
export const runHoldfast = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { POD_NAMESPACE: _, ...inherited } = process.env
  const child = spawn(process.execPath, [program, ...args], { env: { ...inherited, ...env } })
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  return { child, exit, stdout: text(child.stdout), stderr: text(child.stderr) }
}
