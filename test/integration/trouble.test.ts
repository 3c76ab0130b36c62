import { expect, test } from 'vitest'
import { seconds } from '../../src/pure/duration.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { aServedSuite, type Suite } from '../kit/suite.ts'
import { Fault, anUnreadableSuite, unreadableSecrets } from './faults.ts'

const replaceCanonical = async (suite: Suite, secret: { labels?: object; data: object }): Promise<void> => {
  await suite.deleteCanonical()
  const { labels = { [agentNames.label]: suite.agentName }, data } = secret
  await suite.user.create(Secret, { metadata: { ...suite.canonicalKey(), labels }, data })
}

test('LCA-14 a canonical Secret that was deleted is restored from a replica', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const before = await suite.canonical()
  await suite.deleteCanonical()
  await suite.settle()
  const after = await suite.canonical()
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  expect(after?.data).toEqual(before?.data)
  expect(after?.immutable).toBe(true)
  expect(after?.metadata.annotations).toEqual(before?.metadata.annotations)
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
})

test('LCA-14 only a replica with the key named in the status is a source, and the others are put right', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const before = await suite.canonical()
  await suite.restart(async () => {
    await suite.deleteCanonical()
    await suite.user.patch(Secret, suite.replicaKey('a'), { data: aKey(9) })
  })
  expect((await suite.canonical())?.data).toEqual(before?.data)
  expect((await suite.replica('a'))?.data).toEqual(before?.data)
})

test('LCA-15 when no replica holds the key nothing is minted, copied or removed', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const keyID = (await suite.agent())?.status?.keyID ?? ''
  await suite.restart(async () => {
    await suite.deleteCanonical()
    await suite.user.patch(Secret, suite.replicaKey('a'), { data: aKey(9) })
    await suite.user.patch(Secret, suite.replicaKey('b'), { data: { 'seed.hex': null } })
    await suite.createNamespaces('c')
    await suite.target(['a', 'c'])
  })
  expect(await suite.canonical()).toBeUndefined()
  expect((await suite.replica('a'))?.data).toEqual(aKey(9))
  expect(await suite.replica('b')).toBeDefined()
  expect(await suite.replica('c')).toBeUndefined()
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'CanonicalLost' })
  expect(condition?.message).toContain(keyID)
  expect((await suite.agent())?.status?.keyID).toBe(keyID)
})

test('LCA-15 a lost key that is restored from a backup is taken up again', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.restart(async () => {
    await suite.deleteCanonical()
    await suite.user.delete(Secret, suite.replicaKey('a'))
  })
  expect(await suite.condition()).toMatchObject({ reason: 'CanonicalLost' })
  const labels = { [agentNames.label]: suite.agentName }
  await suite.user.create(Secret, { metadata: { ...suite.canonicalKey(), labels }, data: before?.data })
  await suite.settle()
  expect((await suite.replica('a'))?.data).toEqual(before?.data)
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
})

test('LCA-15 a canonical Secret that lost its label is not lost', async () => {
  await using suite = await aServedSuite(['a'], { isUnguarded: true })
  const before = await suite.canonical()
  await suite.restart(() => suite.target([]))
  await suite.stripLabel(suite.canonicalKey())
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'NoTargets' })
  expect((await suite.canonical())?.metadata.labels).toEqual(before?.metadata.labels)
})

test.for([
  { what: 'another key', secret: { data: aKey(9) } },
  { what: 'a key that does not hold together', secret: { data: { ...aKey(9), 'pubkey.hex': aKey(8)['pubkey.hex'] } } },
  { what: 'nothing', secret: { data: {} } },
  { what: 'another key without a label', secret: { labels: {}, data: aKey(9) } },
])('LCA-16 a canonical Secret that holds $what is not used', async ({ secret }) => {
  await using suite = await aServedSuite(['a', 'b'])
  const keyID = (await suite.agent())?.status?.keyID
  const kept = await suite.replica('b')
  await suite.restart(async () => {
    await replaceCanonical(suite, secret)
    await suite.user.delete(Secret, suite.replicaKey('a'))
  })
  expect((await suite.canonical())?.data ?? {}).toEqual(secret.data)
  expect(await suite.replica('a')).toBeUndefined()
  expect(await suite.replica('b')).toEqual(kept)
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'CanonicalInvalid' })
  expect((await suite.agent())?.status?.keyID).toBe(keyID)
})

test('LCA-17 no key is minted while Secrets cannot be read, and it comes when they can', async () => {
  const fault = unreadableSecrets()
  await using suite = await anUnreadableSuite(fault)
  suite.clock.turn(seconds(10))
  await suite.idle()
  expect(await suite.canonical()).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'SecretUnreadable' })
  fault.isOn = false
  await suite.settle()
  expect((await suite.replica('a'))?.data).toEqual((await suite.canonical())?.data)
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
})

test('LCA-17 a replica that cannot be read is not rewritten until it can be', async () => {
  const fault = unreadableSecrets()
  await using suite = await aServedSuite(['a', 'b'], fault)
  fault.isOn = true
  await suite.user.patch(Secret, suite.replicaKey('a'), { data: aKey(9) })
  await suite.idle()
  expect((await suite.replica('a'))?.data).toEqual(aKey(9))
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'SecretUnreadable' })
  expect(condition?.message).toContain(suite.named('a'))
  fault.isOn = false
  await suite.settle()
  expect((await suite.replica('a'))?.data).toEqual((await suite.canonical())?.data)
})

test('LCA-17 a canonical Secret that seems gone is neither minted nor restored while Secrets cannot be read', async () => {
  const fault = unreadableSecrets()
  await using suite = await aServedSuite(['a'], fault)
  const before = await suite.canonical()
  fault.isOn = true
  await suite.deleteCanonical()
  await suite.idle()
  expect(await suite.condition()).toMatchObject({ reason: 'SecretUnreadable' })
  expect(await suite.canonical()).toBeUndefined()
  fault.isOn = false
  await suite.settle()
  expect((await suite.canonical())?.data).toEqual(before?.data)
})

test('LCA-17 nothing is deleted while Secrets cannot be read, neither a replica nor an agent', async () => {
  const fault = unreadableSecrets()
  await using suite = await aServedSuite(['a', 'b'], fault)
  fault.isOn = true
  await suite.target(['a'])
  await suite.idle()
  expect(await suite.replica('b')).toBeDefined()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'SecretUnreadable' })
  await suite.deleteAgent()
  await suite.idle()
  expect(await suite.secrets()).toHaveLength(3)
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'SecretUnreadable' })
  fault.isOn = false
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
  expect(await suite.agent()).toBeUndefined()
})

test('LCA-17 a Secret in the replica’s place that cannot be read is reported, and holds up no other', async () => {
  const fault = new Fault({ status: 500, body: '{}' }, ({ verb, namespace }) => verb === 'get' && namespace === taken)
  await using suite = await aServedSuite(['a', 'b', 'c'], fault)
  const taken = suite.named('b')
  await suite.target(['a'])
  await suite.settle()
  await suite.user.create(Secret, { metadata: suite.replicaKey('b'), data: aKey(9) })
  fault.isOn = true
  await suite.target(['a', 'b', 'c'])
  await eventually('it is reported', async () => (await suite.condition())?.reason === 'ReadFailed')
  expect((await suite.replica('c'))?.data).toEqual((await suite.canonical())?.data)
  expect(keyIdOf((await suite.replica('b'))?.data ?? {})).toBe(keyIdOf(aKey(9)))
  fault.isOn = false
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'ForeignSecret' })
})
