import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames, takeoverAnnotation } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import { aFormerSuite, createHolder, type Holder, keyOfHolder, placesOf } from '../kit/key-holder.ts'
import { createKeyList, createService } from '../kit/services.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const { earlyReplica, canonical, manager, label } = agentNames
const planted = 66
const isReady = { status: 'True', reason: 'KeyPairReady' }
const asks = { status: 'False', reason: 'AdoptionNeedsConsent' }
const holdingFinalizer = 'test.holdfast.dev/hold'

const forgedMarks = (suite: Suite) => ({
  labels: { [label]: suite.agentName },
  annotations: {
    'holdfast.dev/generation': '1',
    'holdfast.dev/key-id': keyIdOf(aKey(planted)),
    'holdfast.dev/operator': suite.operatorNamespace,
    'holdfast.dev/taking-over': 'ledger-operator',
  },
})

/** The forms that a planted Secret can have. */
const forms: readonly { what: string; form: (suite: Suite) => Partial<Holder> }[] = [
  { what: 'as the former operator’s', form: () => ({}) },
  { what: 'under our field manager’s name', form: () => ({ writer: manager }) },
  { what: 'with forged marks', form: (suite) => ({ metadata: forgedMarks(suite) }) },
  { what: 'at the name of old', form: () => ({ name: earlyReplica }) },
  { what: 'at the name of a canonical Secret', form: () => ({ name: canonical }) },
  {
    what: 'at the name of a canonical Secret with forged marks under our field manager’s name',
    form: (suite) => ({ name: canonical, metadata: forgedMarks(suite), writer: manager }),
  },
  { what: 'that is immutable', form: () => ({ immutable: true }) },
  {
    what: 'with an owner',
    form: (suite) => ({
      metadata: {
        labels: { [label]: suite.agentName },
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: crypto.randomUUID() }],
      },
    }),
  },
]

const plant = (suite: Suite, role: string, more: Partial<Holder> = {}): Promise<void> =>
  createHolder(suite, { role, seed: planted, writer: 'tenant', ...more })

/** The planted key is where it was planted and nowhere else, and the agent's own is another. */
const expectNotAdopted = async (suite: Suite, holder: Holder): Promise<void> => {
  expect(await placesOf(suite, planted)).toEqual([printKey(keyOfHolder(suite, holder))])
  expect((await suite.agent())?.status?.keyID).not.toBe(keyIdOf(aKey(planted)))
}

const expectOwnKey = async (suite: Suite, ...roles: readonly string[]): Promise<void> => {
  expect(await suite.condition()).toMatchObject(isReady)
  const { data = {} } = (await suite.canonical()) ?? {}
  expect(keyIdOf(data)).toMatch(/^[0-9a-f]{16}$/)
  for (const role of roles) expect((await suite.replica(role))?.data).toEqual(data)
}

// The tenant's namespace is the first of all in order of names.
test.for(forms)('LCA-46 a Secret planted outside the targets $what holds up nobody', async ({ form }) => {
  await using suite = await aSuite(['aaa', 'b'])
  await plant(suite, 'aaa', form(suite))
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa', ...form(suite) })
  await expectOwnKey(suite, 'b')
})

test.for(forms)('LCA-46 LCA-43 a Secret planted in a target $what is not taken without asking', async ({ form }) => {
  await using suite = await aSuite(['aaa', 'b'])
  await plant(suite, 'aaa', form(suite))
  await suite.start()
  await suite.createAgent(['aaa', 'b'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa', ...form(suite) })
  expect(await suite.secrets()).toHaveLength(1)
  expect(await suite.condition()).toMatchObject(asks)
})

test('LCA-46 a Secret planted between an agent and its first target is not taken without asking', async () => {
  await using suite = await aServedSuite([])
  await suite.createNamespaces('a')
  await plant(suite, 'a')
  await suite.settle()
  await suite.target(['a'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'a' })
  expect(await suite.condition()).toMatchObject(asks)
})

test('LCA-46 a planted Secret that its finalizer holds is not taken while it goes', async () => {
  await using suite = await aSuite(['aaa', 'b'])
  const held = { metadata: { labels: { [label]: suite.agentName }, finalizers: [holdingFinalizer] } }
  await plant(suite, 'aaa', held)
  await suite.user.delete(Secret, suite.replicaKey('aaa'))
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa' })
  await expectOwnKey(suite, 'b')
  await suite.user.patch(Secret, suite.replicaKey('aaa'), { metadata: { finalizers: [] } })
})

const publicKey = Buffer.from(aKey(planted)['pubkey.hex'] ?? '', 'base64').toString()

test('LCA-46 a key list planted beside the Secret says nothing when no service is behind it', async () => {
  await using suite = await aSuite(['aaa', 'b'])
  await plant(suite, 'aaa')
  await createKeyList(suite, 'aaa', publicKey)
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa' })
  await expectOwnKey(suite, 'b')
})

test('LCA-46 LCA-43 a service and its key list planted beside the Secret do not vouch for it', async () => {
  await using suite = await aSuite(['aaa', 'b'])
  await plant(suite, 'aaa')
  await createService(suite, 'aaa')
  await createKeyList(suite, 'aaa', publicKey)
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa' })
  expect(await suite.canonical()).toBeUndefined()
  expect(await suite.condition()).toMatchObject(asks)
})

test('LCA-46 a service that the agent does not select does not vouch for it either', async () => {
  await using suite = await aSuite(['aaa', 'b'])
  await plant(suite, 'aaa')
  await createService(suite, 'aaa', { labels: {} })
  await createKeyList(suite, 'aaa', publicKey)
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa' })
})

test.for<{ what: string; more: Partial<Holder> }>([
  { what: 'a sound key', more: {} },
  { what: 'a sound key at the name of a canonical Secret', more: { name: canonical, writer: manager } },
  { what: 'a sound key at the name of old', more: { name: earlyReplica } },
])('LCA-46 LCA-14 a lost key is restored from its copy, never from $what', async ({ more }) => {
  await using suite = await aServedSuite(['b'])
  const before = await suite.canonical()
  await suite.createNamespaces('aaa')
  await suite.restart(async () => {
    await plant(suite, 'aaa', more)
    await suite.deleteCanonical()
  })
  expect((await suite.canonical())?.data).toEqual(before?.data)
  await expectNotAdopted(suite, { role: 'aaa', ...more })
  await expectOwnKey(suite, 'b')
})

test.for([
  { what: 'with the id of the lost key and another seed', hasLostId: true },
  { what: 'with another key', hasLostId: false },
])('LCA-46 LCA-15 a key without a copy stays lost beside a Secret $what', async ({ hasLostId }) => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  const id = hasLostId ? { 'key-id': before?.data?.['key-id'] ?? '' } : {}
  await suite.restart(async () => {
    await suite.user.delete(Secret, suite.replicaKey('a'))
    await suite.deleteCanonical()
    await plant(suite, 'a', { data: { ...aKey(planted), ...id } })
  })
  await expectNotAdopted(suite, { role: 'a' })
  expect(await suite.secrets()).toHaveLength(1)
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'CanonicalLost' })
  expect((await suite.agent())?.status?.keyID).toBe(keyIdOf(before?.data ?? {}))
})

test.for([
  { what: 'outside the targets', target: 'b', expected: isReady },
  { what: 'in a target', target: 'aaa', expected: asks },
])('LCA-46 once an agent has been taken over, a Secret planted $what is not taken', async ({ target, expected }) => {
  await using suite = await aFormerSuite({ roles: ['aaa', 'b'], targets: [], holders: [] })
  await suite.start()
  await suite.settle()
  expect((await suite.agent())?.metadata.annotations).not.toHaveProperty([takeoverAnnotation])
  await plant(suite, 'aaa')
  await suite.settle()
  await suite.target([target])
  await suite.settle()
  await expectNotAdopted(suite, { role: 'aaa' })
  expect(await suite.condition()).toMatchObject(expected)
})

test('LCA-46 LCA-5 an agent that was taken over with its key does not take another when its status is wiped', async () => {
  await using suite = await aFormerSuite({ roles: ['aaa', 'b'], targets: ['b'], holders: [{ role: 'b', seed: 3 }] })
  await suite.start()
  await suite.settle()
  await suite.restart(async () => {
    await plant(suite, 'aaa')
    await suite.user.patchStatus(LedgerClusterAgent, { name: suite.agentName }, { status: null })
  })
  await expectNotAdopted(suite, { role: 'aaa' })
  expect((await suite.canonical())?.data).toEqual(aKey(3))
  await expectOwnKey(suite, 'b')
})
