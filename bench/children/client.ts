// Gets one object over and over, and tells what it took.
import { parseArgs } from 'node:util'
import { createClient } from '../../src/kube/client.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import { connect } from '../../src/kube/wire.ts'
import { bareHttps, readAll } from '../bare-https.ts'
import type { CallTimes, Caller } from '../client.ts'
import { ConfigMap } from '../sample-objects.ts'

const { values } = parseArgs({
  options: {
    caller: { type: 'string', default: '' },
    kubeconfig: { type: 'string', default: '' },
    count: { type: 'string', default: '' },
    parallel: { type: 'string', default: '' },
    warm: { type: 'string', default: '0' },
  },
})
const { kubeconfig } = values
const key = { namespace: 'default', name: 'one' }

const getters: Readonly<Record<Caller, () => Promise<() => Promise<unknown>>>> = {
  async holdfast() {
    const client = createClient(connect(readKubeconfig(kubeconfig, systemClock)), new AbortController().signal)
    return () => client.get(ConfigMap, key)
  },
  async bare() {
    const ask = bareHttps(kubeconfig)
    return async () => readAll(await ask(`/api/v1/namespaces/${key.namespace}/configmaps/${key.name}`))
  },
  async 'client-node'() {
    const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node')
    const config = new KubeConfig()
    config.loadFromFile(kubeconfig)
    const api = config.makeApiClient(CoreV1Api)
    return () => api.readNamespacedConfigMap(key)
  },
}

const call = await getters[values.caller as Caller]()

const callAll = async (count: number): Promise<void> => {
  let left = count
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker))
}

await callAll(Number(values.warm))
const cpu = process.cpuUsage()
const started = performance.now()
await callAll(Number(values.count))
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(cpu)
process.send?.({ seconds, cpuSeconds: (user + system) / 1e6 } satisfies CallTimes)
