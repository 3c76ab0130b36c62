import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { ConfigMap, Event, Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { aKey } from '../fixtures/agent.ts'
import { deleteMeant } from '../kit/key-guard.ts'
import { createKeyList, createService, deleteService, keyListKey, serviceKey } from '../kit/services.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const publicKeyOf = async (suite: Suite): Promise<string> =>
  Buffer.from((await suite.canonical())?.data?.['pubkey.hex'] ?? '', 'base64').toString()

/** A served suite with a service in `a` whose key list has the agent's key. */
const aListedSuite = async (): Promise<Suite> => {
  const suite = await aServedSuite(['a'])
  await createService(suite, 'a')
  await createKeyList(suite, 'a', await publicKeyOf(suite))
  await suite.settle()
  return suite
}

test('LCA-49 a deleted agent stays until no service lists its key', async () => {
  await using suite = await aListedSuite()
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
  expect(await suite.condition()).toMatchObject({
    reason: 'Deleting',
    message: `waiting for services to drop its key: ${suite.named('a')}/books`,
  })
  await suite.user.patch(ConfigMap, keyListKey(suite, 'a'), { data: { [`agent-${suite.agentName}-pubkey.hex`]: null } })
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})

test('LCA-49 a list whose service is gone holds up nothing', async () => {
  await using suite = await aListedSuite()
  await deleteService(suite, 'a')
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})

test('LCA-49 the end of a service that the agent no longer selects lets a deleted agent go', async () => {
  await using suite = await aListedSuite()
  const labels = Object.fromEntries(Object.keys(suite.labels).map((label) => [label, null]))
  await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { metadata: { labels } })
  await suite.settle()
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'Deleting' })
  await deleteService(suite, 'a')
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})

test('LCA-49 what a service lists that has nothing to do with the agent does not hold it', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.createNamespaces('z')
  await createService(suite, 'z', { labels: {} })
  await createKeyList(suite, 'z', '0'.repeat(64))
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})

test('LCA-49 an agent that turns out to be deleted while a copy is looked at goes by no cached list', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.createNamespaces('z')
  await createService(suite, 'a')
  await suite.settle()
  for (const plural of ['ledgerclusteragents', 'configmaps']) suite.gate.hold(plural)
  await createKeyList(suite, 'a', await publicKeyOf(suite))
  await suite.deleteAgent()
  const metadata = { namespace: suite.named('z'), name: agentNames.earlyReplica(suite.agentName) }
  const { data } = (await suite.canonical())!
  await suite.user.create(Secret, { metadata: { ...metadata, labels: { [agentNames.label]: suite.agentName } }, data })
  await eventually('every copy is gone', async () => (await suite.secrets()).length === 0)
  suite.gate.release()
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'Deleting' })
})

test('LCA-15 a key that only a service still lists is lost, and no other is minted', async () => {
  await using suite = await aListedSuite()
  await suite.stop()
  for (const secret of await suite.secrets()) await deleteMeant(suite.user, secret)
  await suite.user.patchStatus(LedgerClusterAgent, { name: suite.agentName }, { status: null })
  await suite.start()
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'CanonicalLost' })
  expect((await suite.condition())?.message).toContain(`of this agent is in the list of ${suite.named('a')}/books`)
})

test('LCA-50 copies outside a narrowed scope stay in the status, and a deleted agent waits for them', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  suite.watchedRoles = ['a']
  await suite.restart()
  expect((await suite.agent())?.status?.distributedSecretRefs).toEqual([suite.replicaKey('a'), suite.replicaKey('b')])
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'OutOfScope' })
  expect((await suite.condition())?.message).toContain(suite.named('b'))
  expect(await suite.replica('a')).toBeUndefined()
  expect(await suite.replica('b')).toBeDefined()
  suite.watchedRoles = undefined
  await suite.restart()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-51 an agent that is deleted and made again has a new key', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
  await suite.createAgent(['a'])
  await suite.settle()
  expect((await suite.canonical())?.data?.['seed.hex']).not.toBe(before?.data?.['seed.hex'])
  expect(await suite.condition()).toMatchObject({ status: 'True' })
})

test('LCA-51 an agent that was deleted while no operator ran goes when one does, and comes back with a new key', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.restart(() => suite.deleteAgent())
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
  await suite.restart(() => suite.createAgent(['a']))
  expect((await suite.canonical())?.data?.['seed.hex']).not.toBe(before?.data?.['seed.hex'])
  expect((await suite.replica('a'))?.data).toEqual((await suite.canonical())?.data)
})

test('LCA-51 an agent whose namespace is going is deleted all the same', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.user.delete(Namespace, { name: suite.named('b') })
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

const eventsOf = async (suite: Suite): Promise<readonly string[]> => {
  const uid = (await suite.agent())?.metadata.uid
  const { items } = await suite.client.list<KubeObject & { regarding: { uid: string }; reason: string; note: string }>(
    Event,
    { namespace: 'default' },
  )
  const isOurs = ({ regarding }: (typeof items)[number]) => regarding.uid === uid
  return items.filter(isOurs).map(({ reason, note }) => `${reason}: ${note.replaceAll(suite.id, '*')}`)
}

test('LCA-52 events report what was done: generated, distributed, repaired, collected, restored', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const data = { 'seed.hex': 'b3RoZXI=' }
  await suite.user.patch(Secret, suite.replicaKey('a'), { data })
  await suite.settle()
  await suite.deleteCanonical()
  await suite.settle()
  await suite.target(['a'])
  await suite.settle()
  const replicaIn = (role: string) => `${role}-*/ledger-agent-*-agent-keys`
  expect(await eventsOf(suite)).toEqual(
    expect.arrayContaining([
      `KeyPairReady: the key is in 2 of 2 namespaces; made Secret operator-*/ledger-agent-*-agent-canonical; created Secret ${replicaIn('a')}, ${replicaIn('b')}`,
      `Repaired: put back Secret ${replicaIn('a')}`,
      'Restored: created Secret operator-*/ledger-agent-*-agent-canonical',
      `Collected: deleted Secret ${replicaIn('b')}`,
    ]),
  )
})

test('LCA-52 LCA-44 an event reports an adoption', async () => {
  await using suite = await aSuite(['a'])
  const labels = { [agentNames.label]: suite.agentName }
  await suite.user.create(Secret, { metadata: { ...suite.replicaKey('a'), labels }, data: aKey() })
  await suite.start()
  await suite.createAgent(['a'])
  await suite.settle()
  const { namespace, name } = suite.replicaKey('a')
  const annotations = { 'holdfast.dev/adopt': `${namespace}/${name}` }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })
  await suite.settle()
  expect((await suite.canonical())?.data).toEqual(aKey())
  expect(await eventsOf(suite)).toContainEqual(
    expect.stringMatching(/^KeyPairReady: .*; created Secret operator-\*\/ledger-agent-\*-agent-canonical$/),
  )
})
