import { expect, test } from 'vitest'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { aKey } from '../fixtures/agent.ts'
import { createHolder, type Holder, keyOfHolder, printSecrets } from '../kit/key-holder.ts'
import { aServedSuite, type Suite } from '../kit/suite.ts'
import { Fault } from './faults.ts'

const { earlyReplica, canonical, label } = agentNames
const isReady = { status: 'True', reason: 'KeyPairReady' }
const other = 66

/** Copies where none belongs, or none any more. */
const places: readonly (Omit<Holder, 'role'> & { readonly what: string })[] = [
  { what: 'at the name of today' },
  { what: 'at the name of old', name: earlyReplica },
]

test.for(places)('LCA-47 a copy $what with the agent’s key, where none belongs, is collected', async (place) => {
  await using suite = await aServedSuite(['a'])
  await suite.createNamespaces('b')
  const { data = {} } = (await suite.canonical()) ?? {}
  await createHolder(suite, { ...place, role: 'b', data })
  await suite.settle()
  expect(await suite.client.get(Secret, keyOfHolder(suite, { ...place, role: 'b' }))).toBeUndefined()
  expect(await suite.secrets()).toHaveLength(2)
  expect(await suite.condition('Collected')).toBeUndefined()
})

test.for(places)('LCA-48 a copy $what with another key, where none belongs, stays and is named', async (place) => {
  await using suite = await aServedSuite(['a'])
  await suite.createNamespaces('b')
  const holder = { ...place, role: 'b', seed: other }
  await createHolder(suite, holder)
  const before = await printSecrets(suite)
  await suite.settle()
  await suite.restart()
  expect(await printSecrets(suite)).toEqual(before)
  const condition = await suite.condition('Collected')
  expect(condition).toMatchObject({ status: 'False', reason: 'OtherKey' })
  expect(condition?.message).toContain(printKey(keyOfHolder(suite, holder)))
  expect(await suite.condition()).toMatchObject(isReady)

  await suite.user.delete(Secret, keyOfHolder(suite, holder))
  await suite.settle()
  expect(await suite.condition('Collected')).toBeUndefined()
})

test.for<{ what: string; change: object }>([
  { what: 'another key', change: { data: aKey(other) } },
  { what: 'no seed', change: { data: { 'seed.hex': null } } },
])('LCA-48 a copy of ours that holds $what when its namespace is no target any more stays', async ({ change }) => {
  await using suite = await aServedSuite(['a', 'b'])
  const written = await suite.replica('b')
  await suite.restart(async () => {
    await suite.user.patch(Secret, suite.replicaKey('b'), change)
    await suite.target(['a'])
  })
  expect((await suite.replica('b'))?.metadata.uid).toBe(written?.metadata.uid)
  expect((await suite.condition('Collected'))?.message).toContain(printKey(suite.replicaKey('b')))
})

test('LCA-47 a copy that is given another key while it is being collected stays', async () => {
  let isGiven = false
  await using suite: Suite = await aServedSuite(['a', 'b'], {
    gate: {
      onCall: (_, { verb, namespace }) => {
        if (isGiven || verb !== 'delete' || namespace !== suite.named('b')) return undefined
        isGiven = true
        return async (pass) => {
          await suite.user.patch(Secret, suite.replicaKey('b'), { data: aKey(other) })
          return pass()
        }
      },
    },
  })
  await suite.target(['a'])
  await suite.settle()
  expect((await suite.replica('b'))?.data).toEqual(aKey(other))
  expect((await suite.condition('Collected'))?.message).toContain(printKey(suite.replicaKey('b')))
})

test('LCA-47 a copy at the name of old stays in a target until the one of today is in place', async () => {
  const refused = { status: 403, body: JSON.stringify({ kind: 'Status', message: 'no', reason: 'Forbidden' }) }
  const fault = new Fault(refused, ({ verb, namespace }) => verb === 'create' && namespace === target)
  await using suite = await aServedSuite(['a'], fault)
  const target = suite.named('b')
  await suite.createNamespaces('b')
  const { data = {} } = (await suite.canonical()) ?? {}
  const early = keyOfHolder(suite, { role: 'b', name: earlyReplica })
  fault.isOn = true
  await suite.restart(async () => {
    await createHolder(suite, { role: 'b', name: earlyReplica, data })
    await suite.target(['a', 'b'])
  })
  expect(await suite.replica('b')).toBeUndefined()
  expect(await suite.client.get(Secret, early)).toMatchObject({ data })
  fault.isOn = false
  await suite.restart()
  expect((await suite.replica('b'))?.data).toEqual(data)
  expect(await suite.client.get(Secret, early)).toBeUndefined()
})

test('LCA-47 LCA-9 a copy at the name of old stays in a target where a foreign Secret is in the way', async () => {
  await using suite = await aServedSuite(['a'])
  const { data = {} } = (await suite.canonical()) ?? {}
  await suite.createNamespaces('b')
  await suite.restart(async () => {
    await createHolder(suite, { role: 'b', name: earlyReplica, data })
    await createHolder(suite, { role: 'b', seed: other, metadata: { labels: {} }, writer: 'somebody' })
    await suite.target(['a', 'b'])
  })
  expect(await suite.condition()).toMatchObject({ reason: 'ForeignSecret' })
  const early = await suite.client.get(Secret, keyOfHolder(suite, { role: 'b', name: earlyReplica }))
  expect(early).toMatchObject({ data })
})

test('LCA-47 LCA-48 a copy at the name of old with another key stays in a target, and is named', async () => {
  await using suite = await aServedSuite(['a'])
  const holder = { role: 'a', name: earlyReplica, seed: other }
  await createHolder(suite, holder)
  await suite.settle()
  expect(await suite.client.get(Secret, keyOfHolder(suite, holder))).toMatchObject({ data: aKey(other) })
  expect((await suite.condition('Collected'))?.message).toContain(printKey(keyOfHolder(suite, holder)))
  expect(await suite.condition()).toMatchObject(isReady)
})

const replaceCanonical = async (suite: Suite, data: object): Promise<void> => {
  await suite.deleteCanonical()
  const labels = { [label]: suite.agentName }
  await suite.user.create(Secret, { metadata: { ...suite.canonicalKey(), labels }, data })
}

test.for<{ what: string; reason: string; trouble: (suite: Suite) => Promise<void> }>([
  {
    what: 'holds another key',
    reason: 'CanonicalInvalid',
    trouble: (suite) => replaceCanonical(suite, aKey(other)),
  },
  { what: 'holds nothing', reason: 'CanonicalInvalid', trouble: (suite) => replaceCanonical(suite, {}) },
  {
    what: 'is lost, and the copies hold other keys',
    reason: 'CanonicalLost',
    trouble: async (suite) => {
      await suite.deleteCanonical()
      for (const role of ['a', 'b']) await suite.user.patch(Secret, suite.replicaKey(role), { data: aKey(other) })
      for (const role of ['a', 'b'])
        await suite.user.patch(Secret, keyOfHolder(suite, { role, name: earlyReplica }), { data: aKey(other) })
    },
  },
])('LCA-47 nothing is collected while the canonical Secret $what', async ({ reason, trouble }) => {
  await using suite = await aServedSuite(['a', 'b'])
  const { data = {} } = (await suite.canonical()) ?? {}
  await suite.stop()
  for (const role of ['a', 'b']) await createHolder(suite, { role, name: earlyReplica, data })
  await trouble(suite)
  await suite.target(['a'])
  const before = await printSecrets(suite)
  await suite.start()
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason })
  expect(await printSecrets(suite)).toEqual(before)
})

test('LCA-47 LCA-17 nothing is collected while the canonical Secret cannot be read', async () => {
  const fault = new Fault({ status: 500, body: '{}' }, ({ verb, name }) => verb === 'get' && name === unreadable)
  await using suite = await aServedSuite(['a', 'b'], fault)
  const unreadable = canonical(suite.agentName)
  const { data = {} } = (await suite.canonical()) ?? {}
  await suite.stop()
  for (const role of ['a', 'b']) await createHolder(suite, { role, name: earlyReplica, data })
  await suite.target(['a'])
  const before = await printSecrets(suite)
  fault.isOn = true
  await suite.start()
  await suite.idle()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'SecretUnreadable' })
  expect(await printSecrets(suite)).toEqual(before)
  fault.isOn = false
  await suite.settle()
  expect((await suite.secrets()).map(({ metadata }) => printKey(metadata)).sort()).toEqual(
    [suite.canonicalKey(), suite.replicaKey('a')].map(printKey).sort(),
  )
  expect(await suite.condition()).toMatchObject(isReady)
})
