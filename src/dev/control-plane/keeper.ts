// A process of its own that runs programs for as long as its standard input stays open, then ends them and removes
// their directory. The system closes that pipe even when the parent is killed outright, which no exit hook survives.
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { KeeperOrder, KeeperReport, KeptProgram } from './keeper-messages.ts'

const running = new Map<ChildProcess, Promise<void>>()
const directories: string[] = []

const report = (message: KeeperReport): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

const start = ({ name, command: [file, ...args], log, cwd }: KeptProgram): void => {
  const output = openSync(log, 'a')
  // Its own group, so that what it spawned (compilers, linkers) ends with it.
  const child = spawn(file, args, {
    detached: true,
    cwd,
    stdio: ['ignore', output, output],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child)
      report({ ended: name, how: code === null ? `by ${signal}` : `with code ${code}`, code })
      resolve()
    })
    child.once('error', (error) => {
      running.delete(child)
      report({ ended: name, how: `before it started: ${error.message}`, code: null })
      resolve()
    })
  })
  running.set(child, ended)
}

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Ended on its own a moment ago.
  }
}

const endAll = async (): Promise<void> => {
  const endings = [...running.values()]
  for (const { pid } of running.keys()) {
    // Straight away: their data goes with the directory, so there is nothing to save by asking first.
    if (pid !== undefined) killGroup(pid)
  }
  await Promise.all(endings)
  for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 5 })
}

// Reports go nowhere once the parent is gone, and that must not stop the clean-up.
process.stdout.on('error', () => undefined)
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.stdin.destroy())

const orders = createInterface({ input: process.stdin })
process.stdin.once('close', () => orders.close())
orders.on('line', (line) => {
  const order = JSON.parse(line) as KeeperOrder
  if ('remove' in order) directories.push(order.remove)
  else start(order.run)
})
orders.once('close', () => void endAll().then(() => process.exit(0)))
