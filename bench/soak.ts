import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../src/dev/eventually.ts'
import { createNamespaces } from '../src/dev/sample-fleet.ts'
import type { ControlPlane } from '../src/dev/control-plane/control-plane.ts'
import { type Client, createClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import { connect } from '../src/kube/wire.ts'
import { type KubeObject, keyOf, printKey } from '../src/pure/object.ts'
import type { Bench, Setting } from './bench.ts'
import { churn } from './churn.ts'
import { messageOf, startChild } from './child.ts'
import { type FaultyProxy, linkFaults, startFaultyProxy } from './faulty-proxy.ts'
import { ConfigMap } from './sample-objects.ts'
import { median, print, ratio, table } from './table.ts'

export interface SoakQuestion {
  readonly ask: 'suffer' | 'sample' | 'cache' | 'account'
  /** For `suffer`: what the next request is answered with. */
  readonly status?: number
}

interface Sample {
  readonly heapMegabytes: number
  readonly sockets: number
}

interface Account {
  readonly syncs: Readonly<Record<string, number>>
  readonly troubles: number
  readonly changes: number
}

export interface SoakAnswer {
  readonly sample?: Sample
  readonly cache?: readonly string[]
  readonly account?: Account
}

export const printObject = (object: KubeObject): string =>
  `${printKey(keyOf(object))} ${object.metadata.uid} ${object.metadata.resourceVersion}`

const namespace = 'bench-soak'
const faults = [...linkFaults, 500, 429] as const
// A link that says nothing is given up after 70 s.
const longestRecoveryMs = 180_000

/** Whether the cache stays right, and flat, for as long as one cares to wait. */
export const benchSoak: Bench = async (setting) => {
  const { minutes, say, signal } = setting
  const plane = await setting.controlPlane()
  await using world = await startWorld(plane, signal)
  const { client, proxy, child } = world
  const churning = new AbortController()
  const churned = churn(client, namespace, AbortSignal.any([signal, churning.signal]))
  const samples: Sample[] = []
  const end = Date.now() + minutes * 60_000
  for (let n = 0; Date.now() < end; n += 1) {
    await pause(1000, undefined, { signal })
    samples.push((await ask(child, { ask: 'sample' })).sample ?? { heapMegabytes: 0, sockets: 0 })
    await fail(child, proxy, n)
    if (n % 30 === 29) say(`soak: ${Math.round((end - Date.now()) / 1000)} s to go`)
  }
  churning.abort()
  const writes = await churned
  say('soak: waiting until the cache is what the server has')
  const found = await difference(client, child)
  const account = (await ask(child, { ask: 'account' })).account ?? { syncs: {}, troubles: 0, changes: 0 }
  const faults = found === undefined ? [] : [found]
  return { tables: [printSamples(samples, minutes), printAccount(account, writes, samples.length)], faults }
}

const fail = async (child: ChildProcess, proxy: FaultyProxy, n: number): Promise<void> => {
  const fault = faults[n % faults.length]
  if (typeof fault === 'string') return proxy.suffer(fault)
  // Nobody asks anything of a server whose watch goes well: a refusal needs a cut to be heard.
  await ask(child, { ask: 'suffer', status: fault ?? 500 })
  proxy.suffer('cut')
}

const ask = (child: ChildProcess, question: SoakQuestion): Promise<SoakAnswer> => {
  child.send(question)
  return messageOf<SoakAnswer>(child)
}

/** How the cache differs from what the server has, once there was time enough to get it right. */
const difference = async (client: Client, child: ChildProcess): Promise<string | undefined> => {
  const wanted = (await client.list(ConfigMap, { namespace })).items.map(printObject).sort()
  let cache: readonly string[] = []
  const isRight = async () => {
    cache = (await ask(child, { ask: 'cache' })).cache ?? []
    return cache.join('\n') === wanted.join('\n')
  }
  try {
    await eventually('the cache is what the server has', isRight, longestRecoveryMs)
    return undefined
  } catch {
    const [missing, ghosts] = [
      wanted.filter((one) => !cache.includes(one)),
      cache.filter((one) => !wanted.includes(one)),
    ]
    const examples = [...missing.slice(0, 3), ...ghosts.slice(0, 3)].join('; ')
    return `the cache is not what the server has: ${missing.length} missing, ${ghosts.length} too many (${examples})`
  }
}

interface World extends AsyncDisposable {
  readonly client: Client
  readonly proxy: FaultyProxy
  readonly child: ChildProcess
}

const startWorld = async ({ url, kubeconfig }: ControlPlane, signal: Setting['signal']): Promise<World> => {
  await using undo = new AsyncDisposableStack()
  const port = undo.adopt(connect(readKubeconfig(kubeconfig, systemClock)), (opened) => opened.close())
  const client = createClient(port, signal)
  await createNamespaces(client, [namespace])
  const proxy = undo.use(await startFaultyProxy(new URL(url)))
  const directory = undo.adopt(await mkdtemp(join(tmpdir(), 'holdfast-bench-')), (made) =>
    rm(made, { recursive: true, force: true }),
  )
  const proxied = join(directory, 'kubeconfig')
  const text = (await readFile(kubeconfig, 'utf8')).replaceAll(url, `https://127.0.0.1:${proxy.port}`)
  await writeFile(proxied, text, { mode: 0o600 })
  const program = new URL('./children/soak.ts', import.meta.url)
  const child = undo.adopt(
    startChild(program, { plain: [proxied, namespace], node: ['--expose-gc'], signal }),
    (started) => void started.kill('SIGKILL'),
  )
  await messageOf(child)
  const kept = undo.move()
  return { client, proxy, child, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const printSamples = (samples: readonly Sample[], minutes: number): string => {
  const quarter = Math.ceil(samples.length / 4)
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)]
  const row = (title: string, figure: (sample: Sample) => number, digits: number) => {
    const [before, after] = [median(first.map(figure)), median(last.map(figure))]
    return [title, print(before, digits), print(after, digits), print(ratio(after, before), 2), '≤ 1.1']
  }
  const head = [`${minutes} min, a fault every second`, 'median of first quarter', 'of last quarter', 'ratio', 'goal']
  const rows = [
    row('heap MB after collection', ({ heapMegabytes }) => heapMegabytes, 1),
    row('open sockets', ({ sockets }) => sockets, 0),
  ]
  return table([head, ...rows])
}

const printAccount = ({ syncs, troubles, changes }: Account, writes: number, injected: number): string => {
  const rows: readonly (readonly [string, number])[] = [
    ['faults injected', injected],
    ['troubles told', troubles],
    ['writes to the server', writes],
    ['changes seen', changes],
    ...Object.entries(syncs).map(([reason, count]) => [`taken in anew: ${reason}`, count] as const),
  ]
  return table([['count', ''], ...rows.map(([name, count]) => [name, String(count)])])
}
