import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { seconds } from '../../src/pure/duration.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import golden from '../fixtures/ledger-operator.json' with { type: 'json' }
import { eventually } from '../../src/dev/eventually.ts'
import { aServedSuite, aSuite, type SecretObject, type Suite } from '../kit/suite.ts'
import { anUnreadableSuite, unreadableSecrets } from './faults.ts'

const decoded = (base64 = ''): string => Buffer.from(base64, 'base64').toString()

const seedOf = async (suite: Suite): Promise<string> => decoded((await suite.canonical())?.data?.['seed.hex'])

const expectSameKey = async (suite: Suite, before: SecretObject | undefined): Promise<void> => {
  expect((await suite.canonical())?.metadata.uid).toBe(before?.metadata.uid)
  expect((await suite.replica('a'))?.data).toEqual(before?.data)
}

test('LCA-1 an agent that names no namespace gets no key', async () => {
  await using suite = await aServedSuite([])
  expect(await suite.canonical()).toBeUndefined()
  expect((await suite.agent())?.status?.keyID).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'NoTargets' })
})

test('LCA-1 an agent gets its key when it first names a namespace', async () => {
  await using suite = await aSuite(['a'])
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  await suite.target(['a'])
  await suite.settle()
  expect(await seedOf(suite)).toMatch(/^[0-9a-f]{64}$/)
  expect((await suite.replica('a'))?.data).toEqual((await suite.canonical())?.data)
})

test('LCA-1 two agents have two keys', async () => {
  await using one = await aServedSuite(['a'])
  await using other = await aServedSuite(['a'])
  expect(await seedOf(one)).not.toBe(await seedOf(other))
})

test('LCA-2 a key Secret looks as the ledger’s tools know it from the former operator', async () => {
  await using suite = await aServedSuite(['a'])
  const [replicaBefore] = golden.replicas
  for (const [secret, before] of [
    [await suite.canonical(), golden.canonical],
    [await suite.replica('a'), replicaBefore],
  ] as const) {
    const agent = before?.metadata.labels['ledger.formance.com/agent-name'] ?? ''
    expect(secret?.metadata.name).toBe(before?.metadata.name.replace(agent, suite.agentName))
    expect(secret?.metadata.labels).toEqual({ 'ledger.formance.com/agent-name': suite.agentName })
    expect(secret?.type).toBe(before?.type)
    expect(Object.keys(secret?.data ?? {}).sort()).toEqual(Object.keys(before?.data ?? {}).sort())
    for (const [field, value] of Object.entries(before?.data ?? {})) {
      expect(decoded(secret?.data?.[field])).toMatch(/^[0-9a-f]+$/)
      expect(decoded(secret?.data?.[field])).toHaveLength(decoded(value).length)
    }
  }
})

test('LCA-2 the key id is the first 8 bytes of the SHA-256 of the public key', async () => {
  await using suite = await aServedSuite(['a'])
  const idOf = (data: Readonly<Record<string, string>> = {}) =>
    createHash('sha256')
      .update(Buffer.from(decoded(data['pubkey.hex']), 'hex'))
      .digest('hex')
      .slice(0, 16)
  expect(idOf(golden.canonical.data)).toBe(decoded(golden.canonical.data['key-id']))
  const data = (await suite.canonical())?.data
  expect(decoded(data?.['key-id'])).toBe(idOf(data))
})

test('LCA-3 the canonical Secret is immutable and says its generation, its key and its operator', async () => {
  await using suite = await aServedSuite(['a'])
  const secret = await suite.canonical()
  expect(secret?.immutable).toBe(true)
  expect(secret?.metadata.annotations).toEqual({
    'holdfast.dev/generation': '1',
    'holdfast.dev/key-id': keyIdOf(secret?.data ?? {}),
    'holdfast.dev/operator': suite.operatorNamespace,
    'holdfast.dev/agent-uid': (await suite.agent())?.metadata.uid,
  })
})

test('LCA-3 marks that somebody took off the canonical Secret are put back', async () => {
  await using suite = await aServedSuite(['a'], { isUnguarded: true })
  const before = await suite.canonical()
  const annotations = { 'holdfast.dev/generation': null, 'holdfast.dev/operator': 'elsewhere' }
  await suite.user.patch(Secret, suite.canonicalKey(), {
    metadata: { annotations, labels: { [agentNames.label]: null } },
  })
  await suite.settle()
  const after = await suite.canonical()
  expect(after?.metadata.uid).toBe(before?.metadata.uid)
  expect(after?.metadata.annotations).toEqual(before?.metadata.annotations)
  expect(after?.metadata.labels).toEqual(before?.metadata.labels)
})

test('LCA-4 no key is minted beside a replica that the operator has not heard of yet', async () => {
  await using suite = await aSuite(['a', 'b'])
  await suite.start()
  suite.gate.hold('secrets')
  const labels = { [agentNames.label]: suite.agentName }
  await suite.user.create(Secret, { metadata: { ...suite.replicaKey('b'), labels }, data: aKey() })
  await suite.createAgent(['a', 'b'])
  await suite.idle()
  expect(await suite.canonical()).toBeUndefined()
  expect((await suite.replica('b'))?.data).toEqual(aKey())
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'AdoptionNeedsConsent' })
})

test('LCA-4 a canonical Secret that the operator has not heard of yet is the key', async () => {
  await using suite = await aSuite(['a'])
  await suite.start()
  suite.gate.hold('secrets')
  const labels = { [agentNames.label]: suite.agentName }
  await suite.user.create(Secret, { metadata: { ...suite.canonicalKey(), labels }, data: aKey() })
  await suite.createAgent(['a'])
  await suite.settle()
  expect((await suite.canonical())?.data).toEqual(aKey())
  expect((await suite.replica('a'))?.data).toEqual(aKey())
})

test('LCA-4 no key is minted when the status has come to name one since the operator last heard of the agent', async () => {
  const fault = unreadableSecrets()
  await using suite = await anUnreadableSuite(fault)
  suite.gate.hold('ledgerclusteragents')
  await suite.user.patchStatus(LedgerClusterAgent, { name: suite.agentName }, { status: { keyID: keyIdOf(aKey()) } })
  fault.isOn = false
  suite.clock.turn(seconds(10))
  await eventually('the operator has looked again', () => suite.operator.isQuiet)
  suite.gate.release()
  await suite.settle()
  expect(await suite.canonical()).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'CanonicalLost' })
})

test('LCA-4 no key is minted beside a replica that has lost its label', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.replica('a')
  await suite.restart(async () => {
    await suite.stripLabel(suite.replicaKey('a'))
    await suite.deleteCanonical()
    await suite.user.patchStatus(LedgerClusterAgent, { name: suite.agentName }, { status: null })
  })
  expect(await suite.canonical()).toBeUndefined()
  expect((await suite.replica('a'))?.data).toEqual(before?.data)
})

test('LCA-5 the key stays the same through restarts and an empty list of namespaces', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.target([])
  await suite.settle()
  await suite.restart()
  await suite.restart(() => suite.target(['a']))
  await expectSameKey(suite, before)
})

test('LCA-5 the key stays the same when its only namespace goes and comes back', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.user.delete(Namespace, { name: suite.named('a') })
  await suite.user.finalizeNamespace(suite.named('a'))
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'NamespaceMissing' })
  await suite.createNamespaces('a')
  await suite.settle()
  await expectSameKey(suite, before)
})
