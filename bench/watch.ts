import type { Bench } from './bench.ts'
import { runChild } from './child.ts'
import { startPodServer } from './pod-server.ts'
import type { ReaderName } from './readers.ts'
import { median, print, ratio, table } from './table.ts'

export interface WatchTimes {
  readonly seconds: number
  readonly cpuSeconds: number
}

const readers: readonly ReaderName[] = ['holdfast, streamed', 'bare', 'client-node']
const objects = 1000
const events = 100_000
const warm = 20_000

/** Changes as fast as a server can send them, from the bytes to a listener of the cache. */
export const benchWatch: Bench = async ({ rounds, say, signal }) => {
  await using server = await startPodServer({ objects, events: warm + events }, signal)
  const { kubeconfig } = server
  const program = new URL('./children/watch.ts', import.meta.url)
  const times = new Map<ReaderName, WatchTimes[]>(readers.map((name) => [name, []]))
  for (let round = 1; round <= rounds; round += 1) {
    say(`watch: round ${round} of ${rounds}`)
    for (const [reader, runs] of times) {
      runs.push(await runChild<WatchTimes>(program, { args: { reader, kubeconfig, events, warm }, signal }))
    }
  }
  const perSecond = (reader: ReaderName) => median((times.get(reader) ?? []).map(({ seconds }) => events / seconds))
  const cpu = (reader: ReaderName) =>
    median((times.get(reader) ?? []).map(({ cpuSeconds }) => (cpuSeconds / events) * 1e6))
  const rows = readers.map((reader) => [
    reader,
    print(perSecond(reader), 0),
    print(ratio(perSecond(reader), perSecond('bare')), 2),
    print(cpu(reader), 1),
    print(ratio(cpu(reader), cpu('bare')), 2),
    reader.startsWith('holdfast') ? '≤ client-node' : '',
  ])
  const head = [`${events} changes of pods of 2.4 KB, median of ${rounds}`, 'events/s', 'to bare', 'CPU µs/event']
  return { tables: [table([[...head, 'to bare', 'goal'], ...rows])] }
}
