// Takes in changes as fast as they come, and tells what it took.
import { parseArgs } from 'node:util'
import { type ReaderName, readers } from '../readers.ts'
import { Pod } from '../sample-objects.ts'
import type { WatchTimes } from '../watch.ts'

const { values } = parseArgs({
  options: {
    reader: { type: 'string', default: '' },
    kubeconfig: { type: 'string', default: '' },
    events: { type: 'string', default: '' },
    warm: { type: 'string', default: '' },
  },
})
const [events, warm] = [Number(values.events), Number(values.warm)]

let told = 0
let cpu = process.cpuUsage()
let started = performance.now()
const finished = Promise.withResolvers<WatchTimes>()

const reader = await readers[values.reader as ReaderName]({
  kind: Pod,
  kubeconfig: values.kubeconfig,
  extent: 'whole',
  onChange(version) {
    // The versions of changes are long, those of the objects that were there are not.
    if (version === undefined || version.length < 7) return
    told += 1
    if (told === warm) {
      cpu = process.cpuUsage()
      started = performance.now()
    }
    if (told !== warm + events) return
    const { user, system } = process.cpuUsage(cpu)
    finished.resolve({ seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 })
  },
})
await reader.start()
process.send?.(await finished.promise)
