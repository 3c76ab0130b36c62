import { createClient } from '../../src/kube/client.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { Informer } from '../../src/kube/informer.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { Port } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { connect } from '../../src/kube/wire.ts'
import type { Reader, Reading } from './reader.ts'

export const streamed = (reading: Reading): Reader =>
  informerOn(reading, connect(readKubeconfig(reading.kubeconfig, systemClock)))

export const paged = (reading: Reading): Reader =>
  informerOn(reading, withoutInitialEvents(connect(readKubeconfig(reading.kubeconfig, systemClock))))

const informerOn = ({ kind, extent, onChange }: Reading, port: Port): Reader => {
  const { signal } = new AbortController()
  const onTrouble = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  const wires = { client: createClient(port, signal), clock: systemClock, signal, syncs: new Turnstile(1), onTrouble }
  const informer = new Informer({ kind, choice: {}, extent, indexes: {} }, undefined, wires)
  informer.store.onChange((_, after) => onChange(after?.metadata.resourceVersion))
  return {
    async start() {
      void informer.run()
      await informer.synced
    },
    size: () => informer.store.list().length,
  }
}

/** As a server behaves that does not know how to send what there is. */
const withoutInitialEvents = (port: Port): Port => ({
  call: (request, signal) => port.call(request, signal),
  async open(request, signal) {
    if (request.query['sendInitialEvents'] === undefined) return port.open(request, signal)
    return { status: 400, retryAfter: undefined, body: nothing() }
  },
  close: () => port.close(),
})

const nothing = async function* (): AsyncGenerator<Uint8Array> {}
