import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Port } from '../../src/kube/port.ts'
import { Gate, type GateOptions } from './gate.ts'
import { serveGate } from './gate-server.ts'
import type { Handle } from './idle.ts'

const program = new URL('../../src/cli/holdfast.ts', import.meta.url).pathname

/** Runs `holdfast operator` as a process of its own, behind a gate that speaks HTTP. Killing the gate kills it. */
export const startChildOperator = async (port: Port, options: GateOptions, namespace: string) => {
  const gate = new Gate(port, options, () => child.kill('SIGKILL'))
  const server = await serveGate(gate)
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-child-'))
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, stringify(kubeconfigFor(server.url)))
  const child = spawn(
    process.execPath,
    [program, 'operator', '--kubeconfig', kubeconfig, '--no-leader-election', '--http-port', '0'],
    {
      env: { ...process.env, POD_NAMESPACE: namespace },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
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
  return { gate, operator, output: child.stdout }
}

const kubeconfigFor = (server: string) => ({
  'current-context': 'gate',
  contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate' } }],
  clusters: [{ name: 'gate', cluster: { server } }],
  users: [{ name: 'gate', user: {} }],
})
