import { createClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import { connect } from '../src/kube/wire.ts'
import { bareHttps, readAll } from './bare-https.ts'
import type { Bench, Setting } from './bench.ts'
import { runChild } from './child.ts'
import { startPodServer } from './pod-server.ts'
import { ConfigMap, sampleConfigMap } from './sample-objects.ts'
import { median, print, ratio, table } from './table.ts'

export type Caller = 'holdfast' | 'bare' | 'client-node'

export interface CallTimes {
  readonly seconds: number
  readonly cpuSeconds: number
}

interface Load {
  readonly title: string
  readonly count: number
  readonly parallel: number
  readonly warm: number
}

const callers: readonly Caller[] = ['holdfast', 'bare', 'client-node']
const loads: readonly Load[] = [
  { title: 'one after the other', count: 600, parallel: 1, warm: 100 },
  { title: '32 at once', count: 3200, parallel: 32, warm: 320 },
]
const crowds: readonly (Load & { readonly goal: string })[] = [
  { title: '200 calls, one after the other', count: 200, parallel: 1, warm: 0, goal: '1' },
  { title: '300 calls at once', count: 300, parallel: 300, warm: 0, goal: '≤ 32' },
]

/** Calls of the API server: how fast, at what cost, and over how many connections. */
export const benchClient: Bench = async (setting) => {
  const { kubeconfig } = await setting.controlPlane()
  await createObject(kubeconfig)
  return { tables: [await compareCalls(setting, kubeconfig), await countConnections(setting)] }
}

const run = (caller: Caller, kubeconfig: string, load: Load, signal: AbortSignal): Promise<CallTimes> => {
  const { count, parallel, warm } = load
  const program = new URL('./children/client.ts', import.meta.url)
  return runChild(program, { args: { caller, kubeconfig, count, parallel, warm }, signal })
}

const compareCalls = async ({ rounds, say, signal }: Setting, kubeconfig: string): Promise<string> => {
  const rows: string[][] = []
  for (const load of loads) {
    const times: Record<Caller, CallTimes[]> = { holdfast: [], bare: [], 'client-node': [] }
    for (let round = 1; round <= rounds; round += 1) {
      say(`client: ${load.title}, round ${round} of ${rounds}`)
      for (const caller of callers) times[caller].push(await run(caller, kubeconfig, load, signal))
    }
    const perSecond = (caller: Caller) => median(times[caller].map(({ seconds }) => load.count / seconds))
    const cpu = (caller: Caller) => median(times[caller].map(({ cpuSeconds }) => (cpuSeconds / load.count) * 1e6))
    for (const caller of callers) {
      const isOurs = caller === 'holdfast'
      rows.push([
        `${load.title}: ${caller}`,
        print(perSecond(caller), 0),
        print(ratio(perSecond(caller), perSecond('bare')), 2),
        isOurs ? '≥ 1.0' : '',
        print(cpu(caller), 0),
        print(ratio(cpu(caller), cpu('bare')), 2),
        isOurs ? '≤ 1.0' : '',
      ])
    }
  }
  const head = [`GETs, median of ${rounds}`, 'calls/s', 'to bare', 'goal', 'CPU µs/call', 'to bare', 'goal']
  return table([head, ...rows])
}

const countConnections = async ({ say, signal }: Setting): Promise<string> => {
  await using server = await startPodServer({ objects: 0 }, signal)
  const ask = bareHttps(server.kubeconfig)
  const opened = async () => Number(await readAll(await ask('/connections')))
  const rows: string[][] = []
  for (const crowd of crowds) {
    say(`client: connections of ${crowd.title}`)
    const counts: number[] = []
    for (const caller of callers) {
      const before = await opened()
      await run(caller, server.kubeconfig, crowd, signal)
      counts.push((await opened()) - before)
    }
    rows.push([crowd.title, ...counts.map(String), crowd.goal])
  }
  return table([['connections opened', ...callers, 'goal'], ...rows])
}

const createObject = async (kubeconfig: string): Promise<void> => {
  const port = connect(readKubeconfig(kubeconfig, systemClock))
  try {
    const client = createClient(port, AbortSignal.timeout(30_000))
    const key = { namespace: 'default', name: 'one' }
    if ((await client.get(ConfigMap, key)) !== undefined) return
    await client.create(ConfigMap, sampleConfigMap(key.namespace, key.name), 'holdfast-bench')
  } finally {
    await port.close()
  }
}
