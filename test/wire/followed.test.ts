import { expect, test } from 'vitest'
import { Cluster } from '../../src/kube/cluster.ts'
import { ConfigMap, label, WatchedServer } from './watched-server.ts'

const key = { namespace: 'a', name: 'n' }
const ref = { kind: ConfigMap, key }

/** A cluster that sees objects by label, beside one that has none. */
const aCluster = async (setting: WatchedServer) => {
  setting.server.put(key, { text: 'first' }, {})
  const woken: string[][] = []
  const cluster = new Cluster({
    wires: setting.wires(),
    scope: { own: 'operator', watched: 'all' },
    onFollowedChange: (requests) => void woken.push([...requests]),
    onCollapse: (error) => expect.fail(String(error)),
  })
  const read = async (request: string) => {
    await cluster.refresh(ref, { request, client: setting.client })
    await setting.settle()
  }
  await cluster.keepInView({ kind: ConfigMap, choice: { label }, extent: 'whole', indexes: {} }).synced()
  await read('one')
  woken.length = 0
  return { cluster, woken, read, version: () => cluster.get(ConfigMap, key)?.metadata.resourceVersion }
}

test('an object outside the selection is watched by its name while somebody needs it', async () => {
  using setting = new WatchedServer()
  const { cluster, woken, version } = await aCluster(setting)
  expect(setting.port.requests.at(-1)?.query).toMatchObject({ fieldSelector: 'metadata.name=n' })
  expect(setting.port.requests.at(-1)?.path).toBe('/api/v1/namespaces/a/configmaps')
  setting.server.put(key, { text: 'second' }, {})
  await setting.settle()
  expect(version()).toBe('102')
  expect(woken).toEqual([['one']])
  cluster.unfollow('one', () => false)
  await setting.settle()
  expect(version()).toBeUndefined()
  expect(setting.port.watches).toHaveLength(1)
})

test('two who need the same share one watch, and it ends with the second', async () => {
  using setting = new WatchedServer()
  const { cluster, woken, read } = await aCluster(setting)
  await read('two')
  expect(setting.port.watches).toHaveLength(2)
  setting.server.put(key, { text: 'second' }, {})
  await setting.settle()
  expect(woken.at(-1)).toEqual(['one', 'two'])
  cluster.unfollow('one', () => false)
  await setting.settle()
  expect(setting.port.watches).toHaveLength(2)
  cluster.unfollow('two', () => false)
  await setting.settle()
  expect(setting.port.watches).toHaveLength(1)
})

test('what is deleted while it is followed is gone, and who needs it is told', async () => {
  using setting = new WatchedServer()
  const { woken, version } = await aCluster(setting)
  setting.server.delete(key)
  await setting.settle()
  expect(version()).toBeUndefined()
  expect(woken).toEqual([['one']])
})

test('what comes into view is followed no longer', async () => {
  using setting = new WatchedServer()
  const { cluster, version } = await aCluster(setting)
  setting.server.put(key, { text: 'second' }, { [label]: 'x' })
  await setting.settle()
  cluster.unfollow('one', () => true)
  await setting.settle()
  expect(setting.port.watches).toHaveLength(1)
  expect(version()).toBe('102')
})
