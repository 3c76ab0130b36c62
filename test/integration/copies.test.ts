import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { aKey } from '../fixtures/agent.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const isReady = { status: 'True', reason: 'KeyPairReady' }

const expectKeyIn = async (suite: Suite, ...roles: readonly string[]): Promise<void> => {
  const canonical = await suite.canonical()
  expect(canonical?.data).toBeDefined()
  for (const role of roles) expect((await suite.replica(role))?.data).toEqual(canonical?.data)
}

test('LCA-6 every named namespace gets the key, and blank and repeated entries do not count', async () => {
  await using suite = await aSuite(['a', 'b', 'unnamed'])
  await suite.start()
  await suite.createAgent([])
  const additionalNamespaces = ['', suite.named('b'), suite.named('a'), suite.named('b'), '']
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { additionalNamespaces } })
  await suite.settle()
  await expectKeyIn(suite, 'a', 'b')
  expect(await suite.replica('unnamed')).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ ...isReady, message: 'the key is in 2 of 2 namespaces' })
})

test('LCA-6 the operator’s own namespace can be one of those that get a replica', async () => {
  await using suite = await aSuite([])
  await suite.start()
  await suite.createAgent(['operator'])
  await suite.settle()
  await expectKeyIn(suite, 'operator')
})

test.for([
  { what: 'edited', change: { data: { 'seed.hex': Buffer.from('0'.repeat(64)).toString('base64') } } },
  { what: 'given another sound key', change: { data: aKey(9) } },
  { what: 'blanked', change: { data: null } },
  { what: 'stripped of its label', change: { metadata: { labels: { [agentNames.label]: null } } } },
  { what: 'given another agent’s label', change: { metadata: { labels: { [agentNames.label]: 'somebody-else' } } } },
])('LCA-7 a replica that is $what is put back', async ({ change }) => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.replica('a')
  await suite.user.patch(Secret, suite.replicaKey('a'), change)
  await suite.settle()
  const after = await suite.replica('a')
  expect(after?.metadata.uid).toBe(before?.metadata.uid)
  expect(after?.metadata.labels).toEqual(before?.metadata.labels)
  expect(after?.data).toEqual(before?.data)
  expect(await suite.condition()).toMatchObject(isReady)
})

test('LCA-7 a replica that is put back keeps what others added to it', async () => {
  await using suite = await aServedSuite(['a'])
  const added = { metadata: { labels: { team: 'payments' }, annotations: { note: 'ours' } }, data: { extra: 'eA==' } }
  await suite.user.patch(Secret, suite.replicaKey('a'), added)
  await suite.settle()
  await suite.user.patch(Secret, suite.replicaKey('a'), { data: aKey(9) })
  await suite.settle()
  const canonical = await suite.canonical()
  expect(await suite.replica('a')).toMatchObject(added)
  expect((await suite.replica('a'))?.data).toEqual({ ...canonical?.data, extra: 'eA==' })
})

test('LCA-7 a replica that lost its label while no operator ran is put back', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.restart(async () => {
    await suite.stripLabel(suite.replicaKey('a'))
  })
  expect((await suite.replica('a'))?.metadata.labels).toEqual({ [agentNames.label]: suite.agentName })
})

test('LCA-8 a replica that is deleted is put back', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const kept = await suite.replica('b')
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.settle()
  await expectKeyIn(suite, 'a', 'b')
  expect((await suite.replica('b'))?.metadata.uid).toBe(kept?.metadata.uid)
})

test('LCA-8 the operator sees what it wrote before the watch tells it', async () => {
  await using suite = await aSuite(['a', 'b'])
  await suite.start()
  suite.gate.hold('secrets')
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  await expectKeyIn(suite, 'a', 'b')
  expect(await suite.condition()).toMatchObject(isReady)
  await suite.target(['a'])
  await suite.settle()
  expect(await suite.replica('b')).toBeUndefined()
  suite.gate.release()
  await suite.settle()
  await expectKeyIn(suite, 'a')
  expect(await suite.replica('b')).toBeUndefined()
})

test('LCA-10 a namespace that does not exist holds up no other, and gets the key when it comes', async () => {
  await using suite = await aSuite(['a'])
  await suite.start()
  await suite.createAgent(['a', 'late'])
  await suite.settle()
  await expectKeyIn(suite, 'a')
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'NamespaceMissing' })
  expect(condition?.message).toContain(suite.named('late'))
  await suite.createNamespaces('late')
  await suite.settle()
  await expectKeyIn(suite, 'a', 'late')
  expect(await suite.condition()).toMatchObject(isReady)
})

test('LCA-11 a namespace that is being deleted holds up no other, and nothing is written there', async () => {
  await using suite = await aServedSuite(['a', 'going'])
  await suite.user.delete(Namespace, { name: suite.named('going') })
  await suite.user.patch(Secret, suite.replicaKey('going'), { data: aKey(9) })
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.settle()
  await expectKeyIn(suite, 'a')
  expect((await suite.replica('going'))?.data).toEqual(aKey(9))
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'NamespaceTerminating' })
  expect(condition?.message).toContain(suite.named('going'))
})

test('LCA-12 a namespace that is taken off the list loses its replica and nothing else', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.user.create(Secret, { metadata: { namespace: suite.named('b'), name: 'other' } })
  const before = await suite.replica('a')
  await suite.target(['a'])
  await suite.settle()
  expect(await suite.replica('b')).toBeUndefined()
  expect(await suite.client.get(Secret, { namespace: suite.named('b'), name: 'other' })).toBeDefined()
  expect((await suite.replica('a'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
  expect((await suite.agent())?.status?.distributedSecretRefs).toEqual([suite.replicaKey('a')])
})

test('LCA-12 the canonical Secret stays when the list is empty', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.target([])
  await suite.settle()
  expect(await suite.replica('a')).toBeUndefined()
  expect(await suite.canonical()).toEqual(before)
  expect((await suite.agent())?.status).toMatchObject({ keyID: before?.metadata.annotations?.['holdfast.dev/key-id'] })
  expect((await suite.agent())?.status?.distributedSecretRefs).toBeUndefined()
})

test('LCA-12 a namespace that was taken off the list while no operator ran loses its replica too', async () => {
  await using suite = await aServedSuite(['a', 'b', 'bare'])
  await suite.restart(async () => {
    await suite.target(['a'])
    await suite.stripLabel(suite.replicaKey('bare'))
  })
  expect(await suite.replica('b')).toBeUndefined()
  expect(await suite.replica('bare')).toBeUndefined()
  await expectKeyIn(suite, 'a')
})

test('LCA-13 a Secret with the agent’s label under another name is never touched', async () => {
  await using suite = await aSuite(['a', 'b'])
  const labels = { [agentNames.label]: suite.agentName }
  const others = ['a', 'b'].map((role) => ({ namespace: suite.named(role), name: 'mine' }))
  for (const key of others) await suite.user.create(Secret, { metadata: { ...key, labels }, data: aKey(9) })
  const read = () => Promise.all(others.map((key) => suite.client.get(Secret, key)))
  const before = await read()
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  await suite.target(['a'])
  await suite.settle()
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await read()).toEqual(before)
})
