import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { Extent, Selection } from '../../src/kube/client.ts'
import { linesOf } from '../../src/kube/lines.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { ownNamespaces } from '../kit/namespaces.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'

const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
const EndpointSlice: Kind = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
}
const initialEvents = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' }

interface Line {
  readonly type: string
  readonly object: {
    readonly kind: string
    readonly code?: number
    readonly data?: object
    readonly metadata: {
      readonly name?: string
      readonly resourceVersion: string
      readonly annotations?: Readonly<Record<string, string>>
    }
  }
}

interface Asked {
  readonly kind?: Kind
  readonly extent?: Extent
  readonly query: Readonly<Record<string, string>>
}

/** The lines of a watch, as the server wrote them. */
const watchFor = async (selection: Selection, { kind = ConfigMap, extent = 'whole', query }: Asked) => {
  const stop = new AbortController()
  const { body } = await sharedConnection().client.openWatch(kind, selection, { extent, query }, stop.signal)
  const lines = linesOf(body, (line) => line)
  return {
    async next(): Promise<Line> {
      const line = await lines.next()
      return line.done === true ? expect.fail('the server ended the watch') : (JSON.parse(line.value) as Line)
    },
    [Symbol.dispose]: () => stop.abort(),
  }
}

const versionIn = async (namespace: string) =>
  (await sharedConnection().client.list(ConfigMap, { namespace })).resourceVersion

/** A namespace with ConfigMaps of these names. */
const aNamespace = async (...names: readonly string[]) => {
  const space = await ownNamespaces('watch')
  const namespace = space.named('watch')
  const put = (name: string) => space.user.create(ConfigMap, { metadata: { namespace, name }, data: { text: 'x' } })
  for (const name of names) await put(name)
  return { namespace, put, [Symbol.asyncDispose]: () => space[Symbol.asyncDispose]() }
}

test('a server tells everything there is, then a bookmark that says so, then the changes', async () => {
  await using setting = await aNamespace('n', 'm')
  using watch = await watchFor({ namespace: setting.namespace }, { query: initialEvents })
  const told = [await watch.next(), await watch.next()]
  expect(told.map(({ type, object }) => `${type} ${object.metadata.name}`).sort()).toEqual(['ADDED m', 'ADDED n'])
  const { type, object } = await watch.next()
  expect(type).toBe('BOOKMARK')
  expect(object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
  expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
    Number(told[1]?.object.metadata.resourceVersion),
  )
  await setting.put('o')
  expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'o' } } })
})

test('the bookmark comes too where there is nothing', async () => {
  await using setting = await aNamespace()
  using watch = await watchFor({ namespace: setting.namespace }, { kind: EndpointSlice, query: initialEvents })
  expect(await watch.next()).toMatchObject({
    type: 'BOOKMARK',
    object: { kind: 'EndpointSlice', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  })
})

test('a watch for metadata brings no data, and says the same of versions', async () => {
  await using setting = await aNamespace('n')
  using watch = await watchFor({ namespace: setting.namespace }, { extent: 'metadata', query: initialEvents })
  const first = await watch.next()
  expect(first.object.kind).toBe('PartialObjectMetadata')
  expect(first.object.metadata.name).toBe('n')
  expect(first.object.data).toBeUndefined()
  expect((await watch.next()).object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
})

test('a watch for one name tells of that object alone', async () => {
  await using setting = await aNamespace('n')
  const { namespace } = setting
  const query = { resourceVersion: await versionIn(namespace) }
  using watch = await watchFor({ namespace, fieldSelector: 'metadata.name=o' }, { query })
  await setting.put('m')
  await setting.put('o')
  expect((await watch.next()).object.metadata.name).toBe('o')
})

test('a watch from a version that is still to come is accepted, and silent', async () => {
  await using setting = await aNamespace()
  const { namespace } = setting
  const now = await versionIn(namespace)
  using future = await watchFor({ namespace }, { query: { resourceVersion: String(Number(now) + 1_000_000) } })
  using present = await watchFor({ namespace }, { query: { resourceVersion: now } })
  const heard: Line[] = []
  future.next().then(
    (line) => heard.push(line),
    () => undefined,
  )
  await setting.put('n')
  expect((await present.next()).object.metadata.name).toBe('n')
  await setting.put('m')
  expect((await present.next()).object.metadata.name).toBe('m')
  expect(heard).toEqual([])
})

test('a watch from a version that is long gone is told so, by an event', async () => {
  // Of a custom kind the server knows no more than since its definition was installed.
  using watch = await watchFor({}, { kind: LedgerClusterAgent, query: { resourceVersion: '1' } })
  expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })
})
