// Keeps a copy of everything while the way to it fails, and tells how it fares.
import { createClient } from '../../src/kube/client.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { Informer } from '../../src/kube/informer.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { Port } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { connect } from '../../src/kube/wire.ts'
import { ConfigMap } from '../sample-objects.ts'
import { printObject, type SoakAnswer, type SoakQuestion } from '../soak.ts'

const [kubeconfig = '', namespace = ''] = process.argv.slice(2)
const { signal } = new AbortController()
const wire = connect(readKubeconfig(kubeconfig, systemClock))
let status: number | undefined

/** The status that the next request is to be answered with instead of by the server. */
const takeStatus = (): number | undefined => {
  const taken = status
  status = undefined
  return taken
}

const port: Port = {
  call(request, until) {
    const answered = takeStatus()
    if (answered === undefined) return wire.call(request, until)
    return Promise.resolve({ status: answered, retryAfter: undefined, body: '' })
  },
  open(request, until) {
    const answered = takeStatus()
    if (answered === undefined) return wire.open(request, until)
    return Promise.resolve({ status: answered, retryAfter: undefined, body: nothing() })
  },
  close: () => wire.close(),
}

const nothing = async function* (): AsyncGenerator<Uint8Array> {}

let troubles = 0
const wires = {
  client: createClient(port, signal),
  clock: systemClock,
  signal,
  syncs: new Turnstile(1),
  onTrouble: () => void (troubles += 1),
}
const view = { kind: ConfigMap, choice: {}, extent: 'whole', indexes: {} } as const
const informer = new Informer(view, namespace, wires)
let changes = 0
informer.store.onChange(() => (changes += 1))

const answers: Readonly<Record<SoakQuestion['ask'], (question: SoakQuestion) => SoakAnswer>> = {
  suffer(question) {
    status = question.status
    return {}
  },
  sample() {
    global.gc?.()
    const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    return { sample: { heapMegabytes: process.memoryUsage().heapUsed / 1e6, sockets } }
  },
  cache: () => ({ cache: informer.store.list().map(printObject).sort() }),
  account: () => ({ account: { syncs: Object.fromEntries(informer.syncs), troubles, changes } }),
}

process.on('message', (question: SoakQuestion) => process.send?.(answers[question.ask](question)))
void informer.run()
await informer.synced
process.send?.({})
