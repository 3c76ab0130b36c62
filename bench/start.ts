import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { createAuthority } from '../src/dev/control-plane/certificates.ts'
import { renderKubeconfig } from '../src/dev/control-plane/kubeconfig.ts'
import { buildBundle } from '../tools/bundle.ts'
import { nodeEnvironment, nodeFlags } from '../tools/node-settings.ts'
import type { Bench } from './bench.ts'
import { median, print, table } from './table.ts'

interface Start {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly residentMegabytes: number
}

interface Case {
  readonly title: string
  readonly args: readonly string[]
  /** Resolves when the program shall be asked to tell and end; without it, it ends by itself. */
  readonly until?: (output: Readable) => Promise<unknown>
  readonly goal: readonly [cpu: string, resident: string]
}

// Inside the program that is measured: a thread's own count is finer than what the system tells of a process.
const teller = `
import { writeSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, JSON.stringify({ cpuSeconds: (user + system) / 1e6, residentMegabytes: process.memoryUsage.rss() / 1e6 }))
})
process.once('SIGUSR2', () => process.exit())`

/** How soon the bundled operator is up, and what it weighs then. */
export const benchStart: Bench = async ({ signal, say, rounds }) => {
  await using bundle = await buildBundle(signal)
  const listener = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  try {
    const kubeconfig = join(bundle.directory, 'kubeconfig')
    await writeFile(kubeconfig, await kubeconfigOf((listener.address() as AddressInfo).port))
    const program = [...nodeFlags, bundle.program]
    const cases: readonly Case[] = [
      { title: 'bare node', args: ['--eval', '0'], goal: ['', ''] },
      { title: 'holdfast --help', args: [...program, '--help'], goal: ['', ''] },
      {
        title: 'holdfast operator in a pod, until it misses its token',
        args: [...program, 'operator', '--http-port', '0'],
        until: (output) => once(output, 'data'),
        goal: ['≤ 150', '≤ 85'],
      },
      {
        title: 'holdfast operator with a kubeconfig, until it dials',
        args: [...program, 'operator', '--http-port', '0', '--kubeconfig', kubeconfig],
        until: () => once(listener, 'connection'),
        goal: ['', ''],
      },
    ]
    return { tables: [await compare(cases, rounds * 3, { signal, say })] }
  } finally {
    listener.close()
  }
}

const compare = async (
  cases: readonly Case[],
  rounds: number,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<string> => {
  const starts = cases.map(() => [] as Start[])
  for (let round = 1; round <= rounds; round += 1) {
    say(`start: round ${round} of ${rounds}`)
    for (const [n, one] of cases.entries()) starts[n]?.push(await start(one, signal))
  }
  const rows = cases.map(({ title, goal }, n) => {
    const of = (figure: (run: Start) => number) => median((starts[n] ?? []).map(figure))
    return [
      title,
      print(
        of(({ seconds }) => seconds * 1000),
        0,
      ),
      print(
        of(({ cpuSeconds }) => cpuSeconds * 1000),
        0,
      ),
      goal[0],
      print(
        of(({ residentMegabytes }) => residentMegabytes),
        0,
      ),
      goal[1],
    ]
  })
  return table([[`bundled, median of ${rounds}`, 'ms', 'CPU ms', 'goal', 'RSS MB', 'goal'], ...rows])
}

const start = async ({ title, args, until }: Case, signal: AbortSignal): Promise<Start> => {
  const started = performance.now()
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(teller)}`, ...args],
    { env: { ...process.env, ...nodeEnvironment, ...asInPod }, stdio: ['ignore', 'pipe', 'inherit', 'pipe'], signal },
  )
  const output = child.stdout as Readable
  const due = until?.(output)
  output.resume()
  const told = text(child.stdio[3] as Readable)
  await (due === undefined ? once(child, 'exit') : Promise.race([due, once(child, 'exit')]))
  const seconds = (performance.now() - started) / 1000
  child.kill('SIGUSR2')
  const answer = await told
  if (answer === '') throw new Error(`${title} ended and told nothing`)
  return { seconds, ...(JSON.parse(answer) as Omit<Start, 'seconds'>) }
}

// What Kubernetes tells a pod, but for the files of its service account.
const asInPod = { POD_NAMESPACE: 'bench', KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' }

const kubeconfigOf = async (port: number): Promise<string> => {
  const authority = await createAuthority()
  const admin = await authority.issueClient({ user: 'bench', group: 'bench' })
  return renderKubeconfig(`https://127.0.0.1:${port}`, authority.certificate, admin)
}
