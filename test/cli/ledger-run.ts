import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, inject } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { program, runFile } from './run.ts'

/** A directory of this test file's own. */
export const directory = mkdtempSync(join(tmpdir(), 'holdfast-ledger-'))
for (const name of ['kubectl-ledger', 'kubectl_complete-ledger']) symlinkSync(program, join(directory, name))
afterAll(() => rmSync(directory, { recursive: true }))

interface RunOptions {
  readonly kubeconfig?: string
  readonly name?: 'kubectl-ledger' | 'kubectl_complete-ledger'
  readonly env?: Readonly<Record<string, string>>
}

/** Starts `kubectl-ledger` as a script would, with its output piped. */
const start = (args: readonly string[], { kubeconfig, name = 'kubectl-ledger', env }: RunOptions = {}) =>
  runFile(join(directory, name), args, { KUBECONFIG: kubeconfig ?? inject('kubeconfig'), ...env })

/** Runs it to its end. */
export const runLedger = async (args: readonly string[], options?: RunOptions) => {
  const { child, exit, stdout, stderr } = start(args, options)
  child.stdin.end()
  const [code] = await exit
  return { code, stdout: await stdout, stderr: await stderr }
}

/** Runs it with what it prints line by line, until it is interrupted. */
export const followLedger = (args: readonly string[], options?: RunOptions) => {
  const { child, exit, stdout, stderr } = start(args, options)
  stdout.catch(() => undefined)
  const linesIn = (input: Readable) => {
    const lines: string[] = []
    createInterface({ input }).on('line', (line) => lines.push(line))
    return lines
  }
  const lines = linesIn(child.stdout)
  return {
    lines,
    /** What it says beside, on stderr. */
    notes: linesIn(child.stderr),
    until: (isTrue: () => boolean) => eventually('the line', isTrue),
    untilLines: (count: number) => eventually(`${count} lines`, () => lines.length >= count),
    stopReading: () => child.stdout.destroy(),
    interrupt() {
      child.kill('SIGINT')
      return this.end()
    },
    async end() {
      const [code, signal] = await exit
      return { code, signal, stderr: await stderr }
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

/** Runs it on a terminal. `script` makes one; it is part of every Debian (bsdutils), and of util-linux elsewhere. */
export const onTerminal = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const words = [process.execPath, join(directory, 'kubectl-ledger'), ...args]
  const line = words.map((word) => `'${word}'`).join(' ')
  // Whatever runs the tests has its own wishes on colours.
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm', KUBECONFIG: inject('kubeconfig'), ...env },
  })
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  const started = new Promise<never>((_resolve, reject) => {
    child.once('error', () => reject(new Error('a terminal needs the program script, of util-linux: install it')))
  })
  return {
    until: (text: string, times = 1) =>
      Promise.race([started, eventually(`"${text}" on the terminal`, () => shown.split(text).length > times)]),
    type: (text: string) => child.stdin.write(text),
    async end() {
      const [code] = (await Promise.race([started, once(child, 'close')])) as [number]
      return { code, shown: shown.replaceAll('\r\n', '\n') }
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
