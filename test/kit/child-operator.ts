import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { stringify } from 'yaml'
import type { Port } from '../../src/kube/port.ts'
import type { Scope } from '../../src/pure/scope.ts'
import { Gate, type GateOptions } from './gate.ts'
import { serveGate } from './gate-server.ts'
import type { Handle } from './idle.ts'

const program = new URL('../../src/cli/holdfast.ts', import.meta.url).pathname

/** A `holdfast operator` that runs as a process of its own. */
export interface ChildOperator {
  readonly gate: Gate
  readonly child: ChildProcess
  readonly output: Readable
  readonly exited: Promise<[code: number | null, signal: string | null]>
  readonly operator: Handle
}

const unrivalled = ['--no-leader-election']

/** Starts one behind a gate that speaks HTTP. Killing the gate kills it. */
export const startChildOperator = async (
  port: Port,
  options: GateOptions,
  { own, watched }: Scope,
  flags: readonly string[] = unrivalled,
): Promise<ChildOperator> => {
  const gate = new Gate(port, options, () => child.kill('SIGKILL'))
  const server = await serveGate(gate)
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-child-'))
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, stringify(kubeconfigFor(server.url)))
  const watchFlags = watched === 'all' ? [] : watched.flatMap((name) => ['--watch-namespace', name])
  const child = spawn(
    process.execPath,
    [program, 'operator', '--kubeconfig', kubeconfig, '--http-port', '0', ...watchFlags, ...flags],
    {
      env: { ...process.env, POD_NAMESPACE: own },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit') as ChildOperator['exited']
  const operator: Handle = {
    informers: [],
    isQuiet: true,
    resync: () => undefined,
    async stop() {
      child.kill('SIGKILL')
      await exited
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
  return { gate, child, operator, exited, output: child.stdout }
}

const kubeconfigFor = (server: string) => ({
  'current-context': 'gate',
  contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate' } }],
  clusters: [{ name: 'gate', cluster: { server } }],
  users: [{ name: 'gate', user: {} }],
})
