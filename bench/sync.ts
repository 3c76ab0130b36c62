import { createNamespaces } from '../src/dev/sample-fleet.ts'
import { createClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import { connect } from '../src/kube/wire.ts'
import type { Bench, Setting } from './bench.ts'
import { runChild } from './child.ts'
import type { Block } from './loop-block.ts'
import { startPodServer } from './pod-server.ts'
import { type ReaderName, readerNames } from './readers.ts'
import { ConfigMap, sampleConfigMap } from './sample-objects.ts'
import { median, print, ratio, table } from './table.ts'

export interface SyncTimes {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Resident megabytes. */
  readonly before: number
  readonly after: number
  readonly block: Block
  readonly size: number
}

interface Case {
  readonly title: string
  readonly plural: 'pods' | 'secrets' | 'configmaps'
  readonly kubeconfig: string
  readonly size: number
}

const head = [
  'seconds',
  'to bare',
  'CPU s',
  'to bare',
  'RSS MB before',
  'after',
  'longest block ms',
  'of it CPU',
  'goal',
]

/** Taking in everything: how long, at what cost, and how long nothing else gets a turn. */
export const benchSync: Bench = async (setting) => {
  const { signal, rounds, say } = setting
  const rows: string[][] = []
  const compare = async (what: Case) => void rows.push(...(await compareReaders(setting, what)))
  for (const size of [5000, 50_000]) {
    await using server = await startPodServer({ objects: size }, signal)
    const { kubeconfig } = server
    await compare({ title: `${size} pods of 2.4 KB`, plural: 'pods', kubeconfig, size })
    // The others have no way to ask for metadata only.
    await compare({ title: `${size} Secrets, metadata only where possible`, plural: 'secrets', kubeconfig, size })
  }
  const { kubeconfig } = await setting.controlPlane()
  const size = 5000
  say(`sync: creating ${size} ConfigMaps`)
  await createConfigMaps(kubeconfig, size)
  await compare({ title: `${size} ConfigMaps of the API server`, plural: 'configmaps', kubeconfig, size })
  return { tables: [table([[`median of ${rounds}`, ...head], ...rows])] }
}

const compareReaders = async ({ rounds, say, signal }: Setting, what: Case): Promise<readonly string[][]> => {
  const { title, plural, kubeconfig, size } = what
  const program = new URL('./children/sync.ts', import.meta.url)
  const times = new Map<ReaderName, SyncTimes[]>(readerNames.map((name) => [name, []]))
  for (let round = 1; round <= rounds; round += 1) {
    say(`sync: ${title}, round ${round} of ${rounds}`)
    for (const [reader, runs] of times) {
      const args = { reader, kubeconfig, plural }
      const run = await runChild<SyncTimes>(program, { args, node: ['--expose-gc'], signal })
      if (run.size < size) throw new Error(`${reader} has taken in ${run.size} of ${size}`)
      runs.push(run)
    }
  }
  const of = (reader: ReaderName, figure: (run: SyncTimes) => number) => median((times.get(reader) ?? []).map(figure))
  return readerNames.map((reader) => [
    `${title}: ${reader}`,
    print(
      of(reader, ({ seconds }) => seconds),
      2,
    ),
    print(
      ratio(
        of(reader, ({ seconds }) => seconds),
        of('bare', ({ seconds }) => seconds),
      ),
      2,
    ),
    print(
      of(reader, ({ cpuSeconds }) => cpuSeconds),
      2,
    ),
    print(
      ratio(
        of(reader, ({ cpuSeconds }) => cpuSeconds),
        of('bare', ({ cpuSeconds }) => cpuSeconds),
      ),
      2,
    ),
    print(
      of(reader, ({ before }) => before),
      0,
    ),
    print(
      of(reader, ({ after }) => after),
      0,
    ),
    print(
      of(reader, ({ block }) => block.milliseconds),
      0,
    ),
    print(
      of(reader, ({ block }) => block.cpuMilliseconds),
      0,
    ),
    reader.startsWith('holdfast') ? '≤ 50' : '',
  ])
}

const createConfigMaps = async (kubeconfig: string, size: number): Promise<void> => {
  const port = connect(readKubeconfig(kubeconfig, systemClock))
  try {
    const client = createClient(port, AbortSignal.timeout(300_000))
    const namespace = 'bench-sync'
    await createNamespaces(client, [namespace])
    const create = (n: number) =>
      client.create(ConfigMap, sampleConfigMap(namespace, `settings-${n}`), 'holdfast-bench')
    await Promise.all(Array.from({ length: size }, (_, n) => create(n)))
  } finally {
    await port.close()
  }
}
