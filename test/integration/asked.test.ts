import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { renderKeyPolicy } from '../../src/cli/install/key-policy.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { pathOf } from '../../src/kube/client.ts'
import { Event, Secret } from '../../src/pure/kind.ts'
import { agentNames, pausedAnnotation, reconcileAnnotation } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { ApiServer, dryRun } from '../kit/api-server.ts'
import { type Described, printRequest } from '../kit/request.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const annotate = (suite: Suite, annotations: Readonly<Record<string, string | null>>): Promise<void> =>
  suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })

test('LCA-32 a paused agent keeps what it has and gets nothing new until it goes on', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.createNamespaces('b')
  await annotate(suite, { [pausedAnnotation]: 'true' })
  await suite.target(['a', 'b'])
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.settle()
  expect(await suite.replica('a')).toBeUndefined()
  expect(await suite.replica('b')).toBeUndefined()
  expect(await suite.condition('Paused')).toMatchObject({ status: 'True', reason: 'AskedFor' })
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'Paused' })
  await annotate(suite, { [pausedAnnotation]: null })
  await suite.settle()
  expect(await suite.replica('a')).toBeDefined()
  expect(await suite.replica('b')).toBeDefined()
  expect(await suite.condition('Paused')).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'True' })
})

test('LCA-32 a paused agent whose copies are all there stays ready', async () => {
  await using suite = await aServedSuite(['a'])
  await annotate(suite, { [pausedAnnotation]: 'until friday' })
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
  expect(await suite.condition('Paused')).toMatchObject({ status: 'True' })
})

test('LCA-32 a paused agent can be deleted', async () => {
  await using suite = await aServedSuite(['a'])
  await annotate(suite, { [pausedAnnotation]: 'true' })
  await suite.settle()
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-33 a new value asks for one live look at everything, and the same value for none', async () => {
  const calls: Described[] = []
  const onCall = (_: object, described: Described) => {
    calls.push(described)
    return undefined
  }
  await using suite = await aServedSuite(['a'], { gate: { onCall } })
  const ours = () => {
    const concerned = calls.splice(0).filter(({ name }) => name?.includes(suite.id))
    return concerned.map((described) => printRequest(described, suite.id)).sort()
  }
  ours()
  await annotate(suite, { [reconcileAnnotation]: 'now' })
  await suite.settle()
  expect(ours()).toEqual([
    'get ledgerclusteragents agent-*',
    'get namespaces a-*',
    'get secrets a-*/ledger-agent-*-agent-keys',
    'get secrets operator-*/ledger-agent-*-agent-canonical',
  ])
  await annotate(suite, { 'example.com/other': 'x' })
  await suite.settle()
  expect(ours()).toEqual([])
})

interface EventObject extends KubeObject {
  readonly reason: string
  readonly type: string
  readonly note: string
  readonly regarding: { readonly kind: string; readonly name: string; readonly uid: string }
  readonly series?: { readonly count: number }
}

const eventsOf = async (suite: Suite): Promise<readonly EventObject[]> => {
  const uid = (await suite.agent())?.metadata.uid
  const { items } = await suite.client.list<EventObject>(Event, { namespace: 'default' })
  return items
    .filter(({ regarding }) => regarding.uid === uid)
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
}

test('LCA-34 each change of Ready is one event, and its repetition a series', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.target(['a', 'missing'])
  await suite.settle()
  await suite.target(['a'])
  await suite.settle()
  await suite.target(['a', 'missing'])
  await suite.settle()
  const events = await eventsOf(suite)
  expect(events.map(({ type, reason, series }) => [type, reason, series?.count])).toEqual([
    ['Normal', 'KeyPairReady', undefined],
    ['Normal', 'KeyPairReady', undefined],
    ['Warning', 'NamespaceMissing', 2],
  ])
  expect(events[0]?.regarding).toMatchObject({ kind: 'LedgerClusterAgent', name: suite.agentName })
})

test('LCA-34 an event that is refused holds up nothing', async () => {
  const refused = { status: 403, retryAfter: undefined, body: '{"reason":"Forbidden"}' }
  const onCall = (_: object, { plural }: Described) =>
    plural === 'events' ? () => Promise.resolve(refused) : undefined
  await using suite = await aServedSuite(['a'], { gate: { onCall } })
  expect(await suite.condition()).toMatchObject({ status: 'True' })
  expect(suite.logs.join()).toContain('cannot create Event default/')
})

test('LCA-30 an operator of one namespace touches no other, and says so', async () => {
  const namespaces = new Set<string>()
  const onCall = (_: object, { namespace, plural }: Described) => {
    if (plural === 'secrets') namespaces.add(namespace ?? 'all')
    return undefined
  }
  await using suite = await aSuite(['a', 'b'], { gate: { onCall }, watchedRoles: ['a'] })
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  expect(await suite.replica('a')).toBeDefined()
  expect(await suite.replica('b')).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'OutOfScope' })
  expect([...namespaces].sort()).toEqual([suite.named('a'), suite.operatorNamespace].sort())
  const own = suite.operator.informers.filter(({ namespace }) => namespace === suite.operatorNamespace)
  expect(own.map(({ view: { kind, extent, choice } }) => [kind, extent, choice])).toEqual([
    [Secret, 'metadata', { label: agentNames.label }],
  ])
  await suite.target(['a'])
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'True' })
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-31 where nobody else can delete a key, the deletion of its agent does', async () => {
  await using suite = await aServedSuite(['a'])
  const api = new ApiServer(sharedConnection().port)
  const policy = renderKeyPolicy(suite.operatorNamespace)
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(async () => {
    for (const object of policy.toReversed()) await api.delete(await api.pathOf(object))
  })
  await api.mustApply(policy)
  const path = pathOf(Secret, suite.canonicalKey())
  await eventually('the policy is in force', async () => (await api.delete(path, dryRun)).status === 403)
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-31 the canonical Secret is marked with its key id before it goes', async () => {
  const seen: string[] = []
  const onCall = (_: object, { verb, plural, name }: Described) => {
    if (plural === 'secrets' && name?.endsWith('-canonical') === true) seen.push(verb)
    return undefined
  }
  await using suite = await aServedSuite(['a'], { gate: { onCall } })
  const keyId = (await suite.agent())?.status?.keyID
  await suite.user.patch(Secret, suite.canonicalKey(), { metadata: { finalizers: ['example.com/hold'] } })
  seen.length = 0
  await suite.deleteAgent()
  await suite.idle()
  const canonical = await suite.canonical()
  expect(canonical?.metadata.annotations).toMatchObject({ 'holdfast.dev/delete': keyId })
  expect(canonical?.metadata.labels).toMatchObject({ [agentNames.label]: suite.agentName })
  expect(seen.filter((verb) => verb !== 'get')).toEqual(['mark', 'delete'])
  await suite.user.patch(Secret, suite.canonicalKey(), { metadata: { finalizers: [] } })
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})
