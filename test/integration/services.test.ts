import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { ownCluster } from '../kit/own-cluster.ts'
import type { Described } from '../kit/request.ts'
import { createService, deleteService, serviceKey } from '../kit/services.ts'
import { aSuite, type Suite, type SuiteOptions } from '../kit/suite.ts'

/** A suite with a service in each of these namespaces, and an agent that names no namespace. */
const aServiceSuite = async (roles: readonly string[], options: SuiteOptions = {}): Promise<Suite> => {
  const suite = await aSuite(roles, options)
  await Promise.all(roles.map((role) => createService(suite, role)))
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  return suite
}

const select = (suite: Suite, selector: object): Promise<void> =>
  suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { selector } })

const relabel = (suite: Suite, role: string, labels: Readonly<Record<string, string | null>>): Promise<void> =>
  suite.user.patch(LedgerService, serviceKey(suite, role), { metadata: { labels } })

const holders = async (suite: Suite): Promise<readonly string[]> =>
  (await suite.secrets()).map(({ metadata }) => (metadata.namespace ?? '').replace(`-${suite.id}`, '')).sort()

test('LCA-35 LCA-6 the namespace of every service that matches gets the key', async () => {
  await using suite = await aServiceSuite(['a', 'b'])
  expect(await holders(suite)).toEqual(['a', 'b', 'operator'])
  const { data } = (await suite.canonical())!
  for (const role of ['a', 'b']) expect((await suite.replica(role))?.data).toEqual(data)
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
  expect((await suite.agent())?.status?.phase).toBe('Ready')
})

test('LCA-35 services and named namespaces are one list of targets', async () => {
  await using suite = await aSuite(['a', 'b'])
  await createService(suite, 'a')
  await createService(suite, 'a', { name: 'second' })
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  expect(await holders(suite)).toEqual(['a', 'b', 'operator'])
  expect(await suite.condition()).toMatchObject({ message: 'the key is in 2 of 2 namespaces' })
})

test('LCA-35 a service that comes later brings the key to its namespace', async () => {
  await using suite = await aServiceSuite(['a'])
  await suite.createNamespaces('b')
  await createService(suite, 'b')
  await suite.settle()
  expect((await suite.replica('b'))?.data).toEqual((await suite.canonical())?.data)
})

test('LCA-35 LCA-12 a service whose labels no longer match loses its namespace’s copy, and no other does', async () => {
  await using suite = await aServiceSuite(['a', 'b'])
  const before = await suite.canonical()
  await relabel(suite, 'a', Object.fromEntries(Object.keys(suite.labels).map((label) => [label, null])))
  await suite.settle()
  expect(await holders(suite)).toEqual(['b', 'operator'])
  expect(await suite.canonical()).toEqual(before)
})

test('LCA-35 a service that is going keeps its copy until it is gone', async () => {
  await using suite = await aSuite(['a'])
  await createService(suite, 'a', { finalizers: ['example.com/hold'] })
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  await deleteService(suite, 'a')
  await suite.settle()
  expect(await holders(suite)).toEqual(['a', 'operator'])
  await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { metadata: { finalizers: [] } })
  await suite.settle()
  expect(await holders(suite)).toEqual(['operator'])
})

test('LCA-35 a copy is not taken away because a cache has lost sight of the service', async () => {
  await using suite = await aServiceSuite(['a', 'b'])
  suite.gate.hold('ledgerservices')
  await deleteService(suite, 'a')
  await createService(suite, 'a')
  const uid = (await suite.replica('a'))?.metadata.uid
  suite.gate.release()
  await suite.settle()
  expect((await suite.replica('a'))?.metadata.uid).toBe(uid)
})

test('LCA-35 LCA-10 a namespace that is heard of while its absence is being reported gets the key', async () => {
  let isHeld = true
  const onCall = (_: object, { verb }: Described) => {
    if (verb !== 'status' || !isHeld) return undefined
    return async <T>(send: () => Promise<T>): Promise<T> => {
      isHeld = false
      suite.gate.release()
      await eventually('the namespace is heard of', () =>
        suite.operator.informers.some(({ store }) => store.get(suite.named('late')) !== undefined),
      )
      return send()
    }
  }
  await using suite = await aSuite([], { gate: { onCall } })
  await suite.start()
  suite.gate.hold('namespaces')
  await suite.createNamespaces('late')
  await createService(suite, 'late')
  await suite.createAgent([])
  await suite.settle()
  expect(isHeld).toBe(false)
  expect((await suite.replica('late'))?.data).toEqual((await suite.canonical())?.data)
})

test.for([
  { what: 'a set of values', requirement: { operator: 'In', values: ['one', 'two'] } },
  { what: 'a label that must be there', requirement: { operator: 'Exists' } },
])('LCA-35 a selector can ask for $what', async ({ requirement }) => {
  await using suite = await aSuite(['a', 'b'])
  const key = `env-${suite.id}`
  await createService(suite, 'a', { labels: { ...suite.labels, [key]: 'one' } })
  await createService(suite, 'b')
  await suite.start()
  await suite.createAgent([])
  await select(suite, { matchLabels: null, matchExpressions: [{ key, ...requirement }] })
  await suite.settle()
  expect(await holders(suite)).toEqual(['a', 'operator'])
})

test('LCA-36 the status names services and targets in order, and why a target lacks the key', async () => {
  await using suite = await aSuite(['b', 'a'])
  for (const role of ['b', 'a']) for (const name of ['two', 'one']) await createService(suite, role, { name })
  await suite.start()
  await suite.createAgent(['missing'])
  await suite.settle()
  const { status } = (await suite.agent())!
  expect(status?.matchedServices).toEqual(
    ['a', 'b'].flatMap((role) => ['one', 'two'].map((name) => serviceKey(suite, role, name))),
  )
  expect(status?.targets).toEqual([
    { namespace: suite.named('a'), ready: true },
    { namespace: suite.named('b'), ready: true },
    { namespace: suite.named('missing'), ready: false, reason: 'NamespaceMissing' },
  ])
})

test('LCA-37 LCA-5 a service that is deleted and made again finds the same key', async () => {
  await using suite = await aServiceSuite(['a'])
  const before = (await suite.replica('a'))?.data
  await deleteService(suite, 'a')
  await suite.settle()
  expect(await holders(suite)).toEqual(['operator'])
  expect((await suite.agent())?.status).toMatchObject({
    phase: 'Pending',
    keyID: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  })
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'NoTargets' })
  await createService(suite, 'a')
  await suite.settle()
  expect((await suite.replica('a'))?.data).toEqual(before)
  expect((await suite.canonical())?.data).toEqual(before)
})

test('LCA-5 LCA-1 a selector that matches nothing makes no key, and takes none away', async () => {
  await using suite = await aServiceSuite([])
  expect(await holders(suite)).toEqual([])
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'NoTargets' })
  expect((await suite.agent())?.status?.keyID).toBeUndefined()
  await suite.createNamespaces('a')
  await createService(suite, 'a')
  await suite.settle()
  const before = await suite.canonical()
  await select(suite, { matchLabels: { [`none-${suite.id}`]: 'x' } })
  await suite.settle()
  expect(await holders(suite)).toEqual(['operator'])
  expect(await suite.canonical()).toEqual(before)
})

test('LCA-26 the status says how many services match, and that an empty selector matches every one', async () => {
  await using cluster = await ownCluster()
  await using suite = await aSuite(['a', 'b'], { cluster, watchedRoles: ['a'] })
  await createService(suite, 'a', { labels: {} })
  await createService(suite, 'b', { labels: {} })
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  expect(await suite.condition('SelectorResolved')).toMatchObject({ status: 'True', message: '0 services match' })
  await select(suite, { matchLabels: null })
  await suite.settle()
  expect(await suite.condition('SelectorResolved')).toMatchObject({
    status: 'True',
    reason: 'Resolved',
    message: '1 services match: spec.selector is empty, so every LedgerService that this operator sees does',
  })
  expect(await holders(suite)).toEqual(['a', 'operator'])
})

test('LCA-38 a selector that means nothing takes nothing away', async () => {
  await using suite = await aServiceSuite(['a'])
  await select(suite, { matchExpressions: [{ key: 'env', operator: 'Like', values: ['x'] }] })
  await suite.settle()
  expect(await suite.condition('SelectorResolved')).toMatchObject({ status: 'False', reason: 'SelectorFailed' })
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'SelectorFailed' })
  expect((await suite.agent())?.status).toMatchObject({ phase: 'Error', matchedServices: [serviceKey(suite, 'a')] })
  expect(await holders(suite)).toEqual(['a', 'operator'])
})

test('LCA-39 scopes that give no right are named, until the services map them', async () => {
  await using suite = await aServiceSuite(['a'])
  const scopes = ['read', 'ledger:write']
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { scopes } })
  await suite.settle()
  expect(await suite.condition('ScopesUsable')).toMatchObject({ status: 'False', reason: 'BareScopes' })
  expect((await suite.condition('ScopesUsable'))?.message).toContain('these scopes give no right: read;')
  expect(await suite.condition()).toMatchObject({ status: 'True' })
  const auth = { scopeMapping: { read: ['ledgers:read'] } }
  await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { spec: { auth } })
  await suite.settle()
  expect(await suite.condition('ScopesUsable')).toBeUndefined()
})

test('LCA-30 LCA-35 with some namespaces watched, a service elsewhere gets nothing, nor one beside the operator', async () => {
  await using suite = await aSuite(['a', 'b'], { watchedRoles: ['a'] })
  for (const role of ['a', 'b', 'operator']) await createService(suite, role)
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  expect(await holders(suite)).toEqual(['a', 'operator'])
  expect((await suite.agent())?.status?.matchedServices).toEqual([serviceKey(suite, 'a')])
})
