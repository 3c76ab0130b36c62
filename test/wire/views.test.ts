import { expect, test } from 'vitest'
import { InView } from '../../src/kube/in-view.ts'
import type { View } from '../../src/kube/view.ts'
import { type Kind, Namespace } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { Scope } from '../../src/pure/scope.ts'
import type { Thing } from './object-server.ts'
import { ConfigMap, label, textsOf, WatchedServer } from './watched-server.ts'

const some: Scope = { own: 'operator', watched: ['a', 'b'] }
const all: Scope = { own: 'operator', watched: 'all' }
const ClusterKind: Kind = { group: 'x', version: 'v1', kind: 'Thing', plural: 'things', namespaced: false }

/** A view on a server that has an object of ours in each of four namespaces, and one that is not ours. */
const aView = async (setting: WatchedServer, scope: Scope, view: Partial<View<Thing>> = {}) => {
  for (const namespace of ['a', 'b', 'c', 'operator']) {
    setting.server.put({ namespace, name: 'n' }, { text: namespace }, { [label]: 'x' })
  }
  setting.server.put({ namespace: 'a', name: 'foreign' }, { text: 'foreign' }, {})
  const what = { kind: ConfigMap, choice: { label }, extent: 'whole', indexes: {}, ...view } as const
  const inView = new InView<Thing>(what, scope, setting.wires())
  for (const informer of inView.informers) void informer.run()
  await inView.synced()
  return inView
}

const pathsOf = ({ port }: WatchedServer) => port.requests.map(({ path }) => path).sort()
const namespacesOf = (inView: InView<Thing>) =>
  inView
    .list()
    .map(({ metadata }) => metadata.namespace)
    .sort()

test('an operator of the whole cluster has one watch for a kind', async () => {
  using setting = new WatchedServer()
  const inView = await aView(setting, all)
  expect(pathsOf(setting)).toEqual(['/api/v1/configmaps'])
  expect(namespacesOf(inView)).toEqual(['a', 'b', 'c', 'operator'])
})

test('an operator of some namespaces asks in each of them, and nowhere else', async () => {
  using setting = new WatchedServer()
  const inView = await aView(setting, some)
  expect(pathsOf(setting)).toEqual(['/api/v1/namespaces/a/configmaps', '/api/v1/namespaces/b/configmaps'])
  expect(namespacesOf(inView)).toEqual(['a', 'b'])
})

test('its own namespace is in view where the view says so, and only once', async () => {
  using setting = new WatchedServer()
  const inView = await aView(setting, { own: 'b', watched: ['a', 'b'] }, { includesOwn: true })
  expect(namespacesOf(inView)).toEqual(['a', 'b'])
  using another = new WatchedServer()
  expect(namespacesOf(await aView(another, some, { includesOwn: true }))).toEqual(['a', 'b', 'operator'])
})

test('an operator of some namespaces sees those by their names, and no others', async () => {
  using setting = new WatchedServer()
  for (const name of ['a', 'b', 'c']) setting.server.put({ name }, {}, {})
  const inView = await aView(setting, some, { kind: Namespace, choice: {} })
  expect(inView.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect(setting.port.requests.map(({ query }) => query['fieldSelector'])).toEqual([
    'metadata.name=a',
    'metadata.name=b',
  ])
})

test('a kind without namespaces has one watch, whatever the operator serves', async () => {
  using setting = new WatchedServer()
  await aView(setting, some, { kind: ClusterKind })
  expect(pathsOf(setting)).toEqual(['/apis/x/v1/things'])
})

test('what changes in any namespace is told, found and told apart', async () => {
  using setting = new WatchedServer()
  const inView = await aView(setting, some)
  const told: (string | undefined)[] = []
  inView.onChange((_, after) => void told.push(after?.metadata.namespace))
  for (const namespace of ['a', 'b', 'c']) {
    setting.server.put({ namespace, name: 'n' }, { text: `new in ${namespace}` }, { [label]: 'x' })
  }
  await setting.settle()
  expect(told).toEqual(['a', 'b'])
  expect(inView.get({ namespace: 'b', name: 'n' })?.data).toEqual({ text: 'new in b' })
  expect(inView.get({ namespace: 'c', name: 'n' })).toBeUndefined()
})

test('an index finds objects of all namespaces that are in view', async () => {
  using setting = new WatchedServer()
  const indexes = { name: ({ metadata }: KubeObject) => [metadata.name] }
  const inView = await aView(setting, some, { indexes })
  const find = () => inView.find('name', 'n').map(({ metadata }) => metadata.namespace)
  expect(find()).toEqual(['a', 'b'])
  setting.server.delete({ namespace: 'a', name: 'n' })
  await setting.settle()
  expect(find()).toEqual(['b'])
})

test('an object is in view by its labels, its name and its namespace as they are now', async () => {
  using setting = new WatchedServer()
  const byLabel = await aView(setting, some)
  const byName = new InView<Thing>({ ...byLabel.view, choice: { name: 'n' } }, some, setting.wires())
  const thing = (namespace: string, name: string, labels: Readonly<Record<string, string>>) =>
    setting.server.put({ namespace, name }, {}, labels)
  expect(byLabel.includes(thing('a', 'n', { [label]: '' }))).toBe(true)
  expect(byLabel.includes(thing('a', 'n', {}))).toBe(false)
  expect(byLabel.includes(thing('c', 'n', { [label]: 'x' }))).toBe(false)
  expect(byName.includes(thing('a', 'n', {}))).toBe(true)
  expect(byName.includes(thing('a', 'm', {}))).toBe(false)
})

test('selectors go to the server, which sends nothing else', async () => {
  using setting = new WatchedServer()
  setting.server.put({ namespace: 'a', name: 'foreign' }, { text: 'x' }, {})
  const observed = await setting.observe()
  setting.server.put({ namespace: 'a', name: 'foreign' }, { text: 'y' }, {})
  setting.put('n')
  await setting.settle()
  expect(textsOf(observed)).toEqual({ n: 'x' })
  expect(setting.port.requests.map(({ query }) => query['labelSelector'])).toEqual([label])
})

test('what nobody reads is taken away before an object is kept, however it comes', async () => {
  using setting = new WatchedServer({ initialEvents: 'unknown' })
  setting.put('listed', 'large')
  const project = ({ apiVersion, kind, metadata }: Thing): Thing => ({ apiVersion, kind, metadata, data: {} })
  const observed = await setting.observe({ project })
  setting.put('told', 'large')
  await setting.settle()
  setting.port.suffer('black hole')
  observed.informer.shown(setting.put('shown', 'large'))
  expect(textsOf(observed)).toEqual({ listed: undefined, told: undefined, shown: undefined })
})

test('where metadata is kept, nothing else of what we wrote or read is', async () => {
  using setting = new WatchedServer()
  const seen: string[] = []
  const inspector = { saw: ({ metadata }: KubeObject) => void seen.push(metadata.name), left: () => undefined }
  const { informer } = await setting.observe({ extent: 'metadata', inspector })
  informer.shown(setting.put('n', 'secret'))
  expect(seen).toEqual(['n'])
  expect(JSON.stringify(informer.store.list())).not.toContain('secret')
})
