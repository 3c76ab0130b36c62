import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { Secret } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { createClient } from './client.ts'
import { Cluster } from './cluster.ts'
import { Turnstile } from './turnstile.ts'
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
  const listed: string[] = []
  const port = scriptedPort((request: WireRequest) => {
    if (request.path.endsWith('/n')) return get()
    listed.push(request.query['labelSelector'] ?? '')
    return lists
  })
  const stop = new AbortController()
  const { signal } = stop
  const wires = {
    client: createClient(port, signal),
    clock: new TurnedClock(),
    signal,
    syncs: new Turnstile(1),
    onTrouble: () => undefined,
  }
  const cluster = new Cluster({
    wires,
    scope: { own: 'operator', watched: 'all' },
    onFollowedChange: () => undefined,
    onCollapse: (error) => expect.fail(String(error)),
  })
  const asker = { request: 'x', client: wires.client }
  const indexes = {
    name: ({ metadata }: KubeObject) => [metadata.name],
    [label]: ({ metadata }: KubeObject) => [metadata.labels?.[label] ?? ''],
  }
  const inView = cluster.keepInView({
    kind: Secret,
    choice: { label },
    extent: 'metadata',
    indexes,
  })
  await inView.synced()
  const store = inView.informers[0]?.store ?? expect.fail('nothing is in view')
  listed.length = 0
  return { cluster, store, asker, listed, [Symbol.dispose]: () => stop.abort() }
}

test('what appears while we ask for it is not taken away by the answer', async () => {
  const asked = Promise.withResolvers<WireReply>()
  using setting = await aCluster(() => asked.promise)
  const refreshed = setting.cluster.refresh({ kind: Secret, key }, setting.asker)
  setting.store.told(aSecret('5'))
  asked.resolve(notFound)
  await refreshed
  expect(setting.cluster.get(Secret, key)?.metadata.resourceVersion).toBe('5')
})

test('what a live read does not find is gone', async () => {
  using setting = await aCluster(() => notFound)
  setting.store.told(aSecret('5'))
  await setting.cluster.refresh({ kind: Secret, key }, setting.asker)
  expect(setting.cluster.get(Secret, key)).toBeUndefined()
})

test('what is outside the selection is followed while it is needed and until it is in view again', async () => {
  using setting = await aCluster(() => replyWith(200, aSecret('5', {})))
  const { cluster, store } = setting
  await cluster.refresh({ kind: Secret, key }, setting.asker)
  expect(cluster.named(Secret, 'n')).toHaveLength(1)
  expect(cluster.informers).toHaveLength(2)
  cluster.unfollow('x', () => true)
  expect(cluster.informers).toHaveLength(2)
  store.told(aSecret('6'))
  expect(cluster.named(Secret, 'n')).toHaveLength(1)
  cluster.unfollow('x', () => true)
  expect(cluster.informers).toHaveLength(1)
  expect(cluster.get(Secret, key)?.metadata.resourceVersion).toBe('6')
})

test('a kind is in view once', async () => {
  using setting = await aCluster(() => notFound)
  const again = () => setting.cluster.keepInView({ kind: Secret, choice: {}, extent: 'metadata', indexes: {} })
  expect(again).toThrow('Secret is in view already')
})

test('a live read that is behind what was seen is no answer: the server was restored from a backup', async () => {
  using setting = await aCluster(() => replyWith(200, aSecret('4')))
  setting.store.told(aSecret('5'))
  await expect(setting.cluster.refresh({ kind: Secret, key }, setting.asker)).rejects.toThrow('restored from a backup')
  expect(setting.cluster.get(Secret, key)?.metadata.resourceVersion).toBe('5')
})

test('a cluster that is closed has nothing in view, and follows nothing', async () => {
  using setting = await aCluster(() => replyWith(200, aSecret('5', {})))
  await setting.cluster.refresh({ kind: Secret, key }, setting.asker)
  expect(setting.cluster.informers).toHaveLength(2)
  setting.cluster.close()
  expect(setting.cluster.informers).toEqual([])
})

test('requests that wait for other values of a label share one list', async () => {
  using setting = await aCluster(() => notFound)
  const { cluster, listed } = setting
  const refresh = (value: string) => cluster.refreshChosen(Secret, { label, value }, { request: value })
  await Promise.all(['a', 'c', 'b'].map(refresh))
  expect(listed).toEqual([`${label}=a`, `${label} in (b,c)`])
})

test('a value that many objects carry has lists of its own, so that a tenant cannot slow down other requests', async () => {
  using setting = await aCluster(() => notFound)
  const { cluster, store, listed } = setting
  for (let n = 0; n < 21; n += 1) {
    const metadata = { namespace: 'a', name: `n${n}`, uid: `uid-${n}`, labels: { [label]: 'b' } }
    store.told({ apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, resourceVersion: `${n + 2}` } })
  }
  const refresh = (value: string) => cluster.refreshChosen(Secret, { label, value }, { request: value })
  await Promise.all(['a', 'c', 'b'].map(refresh))
  expect(listed).toEqual([`${label}=a`, `${label}=b`, `${label}=c`])
})
