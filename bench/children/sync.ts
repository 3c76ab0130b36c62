// Takes in everything of a kind once, and tells what it took.
import { parseArgs } from 'node:util'
import { Secret } from '../../src/pure/kind.ts'
import { watchForBlocks } from '../loop-block.ts'
import { type ReaderName, readers } from '../readers.ts'
import { ConfigMap, Pod } from '../sample-objects.ts'
import type { SyncTimes } from '../sync.ts'

const { values } = parseArgs({
  options: {
    reader: { type: 'string', default: '' },
    kubeconfig: { type: 'string', default: '' },
    plural: { type: 'string', default: '' },
  },
})

const residentMegabytes = (): number => {
  global.gc?.()
  return process.memoryUsage.rss() / 1e6
}

const kind = [Pod, Secret, ConfigMap].find(({ plural }) => plural === values.plural) ?? Pod
let changes = 0
const reader = await readers[values.reader as ReaderName]({
  kind,
  kubeconfig: values.kubeconfig,
  extent: kind === Secret ? 'metadata' : 'whole',
  onChange: () => (changes += 1),
})
const before = residentMegabytes()
const cpu = process.cpuUsage()
const longestBlock = watchForBlocks()
const started = performance.now()
await reader.start()
const seconds = (performance.now() - started) / 1000
const block = longestBlock()
const { user, system } = process.cpuUsage(cpu)
if (reader.size() !== changes) throw new Error(`${changes} objects were told, ${reader.size()} are there`)
process.send?.({
  seconds,
  cpuSeconds: (user + system) / 1e6,
  before,
  after: residentMegabytes(),
  block,
  size: reader.size(),
} satisfies SyncTimes)
