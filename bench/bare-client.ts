// The yardstick: sends what the operator sends, without looking at anything but the agents.
import { parseArgs } from 'node:util'
import { LedgerClusterAgent } from '../src/api/ledgerclusteragent.ts'
import { operatorNamespace } from '../src/config.ts'
import { createClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { Informer } from '../src/kube/informer.ts'
import { readKubeconfig } from '../src/kube/kubeconfig.ts'
import { Turnstile } from '../src/kube/turnstile.ts'
import { connect } from '../src/kube/wire.ts'
import { isTerminating } from '../src/pure/object.ts'
import { Queue } from '../src/runtime/queue.ts'
import { BareWrites } from './bare-writes.ts'

// As many as the operator has.
const workers = 32

const { values } = parseArgs({ options: { kubeconfig: { type: 'string', default: '' } } })
const { signal } = new AbortController()
const port = connect(readKubeconfig(values.kubeconfig, systemClock))
const client = createClient(port, signal)
const queue = new Queue(systemClock)
const writes = new BareWrites(client, operatorNamespace())
const onTrouble = (error: unknown): never => {
  throw error as Error
}
const informer = new Informer<LedgerClusterAgent>(
  { kind: LedgerClusterAgent, choice: {}, extent: 'whole', indexes: {} },
  undefined,
  { client, clock: systemClock, signal, syncs: new Turnstile(1), onTrouble },
)
informer.store.onChange((before, after) => {
  if (after === undefined) return
  if (before === undefined || (isTerminating(after) && !isTerminating(before))) queue.add(after.metadata.name)
})

const work = async (): Promise<void> => {
  for (let name = await queue.take(signal); name !== undefined; name = await queue.take(signal)) {
    const agent = informer.store.get(name)
    if (agent !== undefined) await (isTerminating(agent) ? writes.withdraw(agent) : writes.establish(agent))
    queue.done(name)
  }
}

void informer.run()
await informer.synced
for (let n = 0; n < workers; n += 1) void work()
process.stdout.write(`${JSON.stringify({ level: 30, msg: 'ready' })}\n`)
