import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { Secret } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { createClient } from './client.ts'
import { Cluster } from './cluster.ts'
import type { WireReply, WireRequest } from './port.ts'

const label = 'example.com/agent'
const key = { namespace: 'a', name: 'n' }
const notFound = replyWith(404, { kind: 'Status', reason: 'NotFound' })

const aSecret = (resourceVersion: string, labels: Record<string, string> = { [label]: 'x' }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...key, uid: 'uid-n', resourceVersion, labels },
})

/** A cluster with Secrets in view by label, on a server that answers reads of one Secret as told. */
const aCluster = async (get: () => WireReply | Promise<WireReply>) => {
  const lists = replyWith(200, { items: [], metadata: { resourceVersion: '1' } })
  const port = scriptedPort((request: WireRequest) => (request.path.endsWith('/n') ? get() : lists))
  const stop = new AbortController()
  const { signal } = stop
  const wires = {
    client: createClient(port, signal),
    clock: new TurnedClock(),
    signal,
    onTrouble: () => undefined,
  }
  const cluster = new Cluster(wires, () => undefined)
  const indexes = { name: ({ metadata }: KubeObject) => [metadata.name] }
  const informer = cluster.keepInView({
    kind: Secret,
    selection: { labelSelector: label },
    extent: 'metadata',
    indexes,
  })
  await informer.synced
  return { cluster, informer, [Symbol.dispose]: () => stop.abort() }
}

test('what appears while we ask for it is not taken away by the answer', async () => {
  const asked = Promise.withResolvers<WireReply>()
  using setting = await aCluster(() => asked.promise)
  const refreshed = setting.cluster.refresh({ kind: Secret, key }, 'x')
  setting.informer.store.told(aSecret('5'))
  asked.resolve(notFound)
  await refreshed
  expect(setting.cluster.get(Secret, key)?.metadata.resourceVersion).toBe('5')
})

test('what a live read does not find is gone', async () => {
  using setting = await aCluster(() => notFound)
  setting.informer.store.told(aSecret('5'))
  await setting.cluster.refresh({ kind: Secret, key }, 'x')
  expect(setting.cluster.get(Secret, key)).toBeUndefined()
})

test('what is outside the selection is followed while it is needed and until it is in view again', async () => {
  using setting = await aCluster(() => replyWith(200, aSecret('5', {})))
  const { cluster, informer } = setting
  await cluster.refresh({ kind: Secret, key }, 'x')
  expect(cluster.named(Secret, 'n')).toHaveLength(1)
  expect(cluster.informers).toHaveLength(2)
  cluster.unfollow('x', () => true)
  expect(cluster.informers).toHaveLength(2)
  informer.store.told(aSecret('6'))
  expect(cluster.named(Secret, 'n')).toHaveLength(1)
  cluster.unfollow('x', () => true)
  expect(cluster.informers).toHaveLength(1)
  expect(cluster.get(Secret, key)?.metadata.resourceVersion).toBe('6')
})

test('a kind is in view once', async () => {
  using setting = await aCluster(() => notFound)
  const again = () => setting.cluster.keepInView({ kind: Secret, selection: {}, extent: 'metadata', indexes: {} })
  expect(again).toThrow('Secret is in view already')
})
