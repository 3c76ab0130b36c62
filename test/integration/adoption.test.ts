import { expect, test } from 'vitest'
import { ledgerClusterAgentController } from '../../src/controllers/ledgerclusteragent/controller.ts'
import { Secret } from '../../src/pure/kind.ts'
import { adoptAnnotation, agentNames, takeoverAnnotation } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import type { GateOptions } from '../kit/gate.ts'
import {
  aFormerSuite,
  annotateAgent,
  createHolder,
  type Former,
  type Holder,
  keyOfHolder,
  placesOf,
  printSecrets,
} from '../kit/key-holder.ts'
import { rotate, statesOf } from '../kit/keys-of-suite.ts'
import { isWrite } from '../kit/request.ts'
import { aSuite, type Suite, type SuiteOptions } from '../kit/suite.ts'

const { earlyReplica } = agentNames
const isReady = { status: 'True', reason: 'KeyPairReady' }

/** What is written to Secrets, in order. */
const secretWrites = () => {
  const writes: string[] = []
  const gate: GateOptions = {
    onCall: (_, described) => {
      const { verb, plural, namespace = '', name = '' } = described
      if (plural === 'secrets' && isWrite(described)) writes.push(`${verb} ${namespace}/${name}`)
      return undefined
    },
  }
  return { writes, gate }
}

const aSettledFormer = async (former: Former, options: SuiteOptions = {}): Promise<Suite> => {
  const suite = await aFormerSuite(former, options)
  await suite.start()
  await suite.settle()
  return suite
}

const expectAdopted = async (suite: Suite, seed: number): Promise<void> => {
  const canonical = await suite.canonical()
  expect(canonical).toMatchObject({ data: aKey(seed), type: 'Opaque', immutable: true })
  expect(canonical?.metadata.annotations).toEqual({
    'holdfast.dev/generation': '1',
    'holdfast.dev/key-id': keyIdOf(aKey(seed)),
    'holdfast.dev/operator': suite.operatorNamespace,
    'holdfast.dev/agent-uid': (await suite.agent())?.metadata.uid,
  })
  const agent = await suite.agent()
  expect(agent?.status?.keyID).toBe(keyIdOf(aKey(seed)))
  expect(agent?.metadata.annotations).not.toHaveProperty([takeoverAnnotation])
}

test('LCA-40 an agent of the former operator gets the key that its copy holds, byte by byte, and the copy stays', async () => {
  await using suite = await aFormerSuite({ roles: ['a', 'b'], targets: ['a', 'b'], holders: [{ role: 'a', seed: 3 }] })
  const before = await suite.replica('a')
  await suite.start()
  await suite.settle()
  await expectAdopted(suite, 3)
  expect(await suite.replica('a')).toMatchObject({ metadata: { uid: before?.metadata.uid }, data: aKey(3) })
  expect((await suite.replica('b'))?.data).toEqual(aKey(3))
  expect(await suite.condition()).toMatchObject(isReady)
})

test.for<{ what: string; holder: Holder }>([
  { what: 'at the name of today', holder: { role: 'a', seed: 3 } },
  { what: 'at the name of old', holder: { role: 'a', seed: 3, name: earlyReplica } },
])('LCA-40 LCA-47 with no target left a copy $what is rescued first and collected then', async ({ holder }) => {
  const { writes, gate } = secretWrites()
  await using suite = await aSettledFormer({ roles: ['a'], targets: [], holders: [holder] }, { gate })
  await expectAdopted(suite, 3)
  expect(await placesOf(suite, 3)).toEqual([printKey(suite.canonicalKey())])
  const rescue = `create ${printKey(suite.canonicalKey())}`
  expect(writes).toEqual([rescue, `delete ${printKey(keyOfHolder(suite, holder))}`])
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'NoTargets' })
})

test('LCA-40 LCA-47 a copy at the name of old gives the key, and goes when the one of today is in place', async () => {
  const { writes, gate } = secretWrites()
  const holder = { role: 'a', seed: 3, name: earlyReplica }
  await using suite = await aSettledFormer({ roles: ['a'], targets: ['a'], holders: [holder] }, { gate })
  await expectAdopted(suite, 3)
  expect((await suite.replica('a'))?.data).toEqual(aKey(3))
  expect(writes).toEqual([
    `create ${printKey(suite.canonicalKey())}`,
    `create ${printKey(suite.replicaKey('a'))}`,
    `delete ${printKey(keyOfHolder(suite, holder))}`,
  ])
  expect(await suite.condition()).toMatchObject(isReady)
})

test('LCA-40 a rescued key comes back to the first target, however long after', async () => {
  await using suite = await aSettledFormer({ roles: ['a', 'b'], targets: [], holders: [{ role: 'a', seed: 3 }] })
  await suite.restart(() => suite.target(['b']))
  expect((await suite.replica('b'))?.data).toEqual(aKey(3))
})

const refTo = (suite: Suite, role: string) => ({ distributedSecretRefs: [suite.replicaKey(role)] })

test.for<{ what: string; holders: readonly Holder[]; status?: Former['status'] & {} }>([
  {
    what: 'the one with the key id of the status is taken, wherever it lies',
    holders: [
      { role: 'a', seed: 1 },
      { role: 'b', seed: 2 },
      { role: 'c', seed: 3, name: earlyReplica },
    ],
    status: (suite) => ({ keyID: keyIdOf(aKey(3)), ...refTo(suite, 'a') }),
  },
  {
    what: 'one that the status lists is taken when no key id decides',
    holders: [
      { role: 'a', seed: 1 },
      { role: 'c', seed: 3 },
      { role: 'c', seed: 4, name: earlyReplica },
    ],
    status: (suite) => refTo(suite, 'c'),
  },
  {
    what: 'equal keys are no conflict',
    holders: [
      { role: 'a', seed: 3 },
      { role: 'b', seed: 3, name: earlyReplica },
      { role: 'c', seed: 3 },
    ],
  },
  {
    what: 'one that does not hold together does not count',
    holders: [
      { role: 'a', data: { ...aKey(1), 'key-id': aKey(3)['key-id'] ?? '' } },
      { role: 'c', seed: 3 },
    ],
  },
])('LCA-41 of several copies $what', async ({ holders, status }) => {
  const former = { roles: ['a', 'b', 'c'], targets: ['b'], holders }
  await using suite = await aSettledFormer(status === undefined ? former : { ...former, status })
  await expectAdopted(suite, 3)
  expect((await suite.replica('b'))?.data).toEqual(aKey(3))
  expect(await suite.condition()).toMatchObject(isReady)
})

const differing: readonly Holder[] = [
  { role: 'a', seed: 1 },
  { role: 'b', seed: 2 },
  { role: 'c', seed: 1, name: earlyReplica },
]

test.for([
  { what: 'and targets', targets: ['a', 'b', 'd'] },
  { what: 'and no target', targets: [] },
])('LCA-42 with copies of different keys $what nothing happens until somebody names one', async ({ targets }) => {
  await using suite = await aFormerSuite({ roles: ['a', 'b', 'c', 'd'], targets, holders: differing })
  const before = await printSecrets(suite)
  await suite.start()
  await suite.settle()
  await suite.restart()
  expect(await printSecrets(suite)).toEqual(before)
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'AdoptionAmbiguous' })
  for (const holder of differing) {
    const { namespace, name } = keyOfHolder(suite, holder)
    expect(condition?.message).toContain(`${namespace}/${name} (key ${keyIdOf(aKey(holder.seed))})`)
  }
  expect((await suite.agent())?.status).not.toHaveProperty('keyID')

  await annotateAgent(suite, { [adoptAnnotation]: printKey(suite.replicaKey('b')) })
  await suite.settle()
  await expectAdopted(suite, 2)
  for (const role of targets) expect((await suite.replica(role))?.data).toEqual(aKey(2))
  expect(await placesOf(suite, 1)).toContain(printKey(keyOfHolder(suite, { role: 'c', name: earlyReplica })))
})

test('LCA-42 LCA-41 copies that the status lists and that differ are not decided by it', async () => {
  const status = (suite: Suite) => ({ distributedSecretRefs: ['a', 'b'].map((role) => suite.replicaKey(role)) })
  const former = { roles: ['a', 'b', 'c'], targets: ['a'], holders: differing, status }
  await using suite = await aSettledFormer(former)
  expect(await suite.canonical()).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ reason: 'AdoptionAmbiguous' })
})

const adoptsLabelled: SuiteOptions = {
  controller: (namespace) => ledgerClusterAgentController(namespace, { adoptsLabelled: true }),
}

test.for<{ what: string; targets: readonly string[]; holder: Holder }>([
  { what: 'in a target', targets: ['a'], holder: { role: 'a', seed: 3 } },
  { what: 'outside the targets', targets: ['b'], holder: { role: 'a', seed: 3 } },
  { what: 'without any target', targets: [], holder: { role: 'a', seed: 3 } },
  { what: 'at the name of old', targets: ['a'], holder: { role: 'a', seed: 3, name: earlyReplica } },
])('LCA-45 an operator that adopts what is labelled takes a copy $what', async ({ targets, holder }) => {
  await using suite = await aSuite(['a', 'b'], adoptsLabelled)
  await createHolder(suite, { ...holder, writer: 'somebody' })
  await suite.start()
  await suite.createAgent(targets)
  await suite.settle()
  await expectAdopted(suite, 3)
  for (const role of targets) expect((await suite.replica(role))?.data).toEqual(aKey(3))
})

test('LCA-54 an agent that comes back with an old request serves it with the key that it adopts', async () => {
  await using suite = await aSuite(['a'], adoptsLabelled)
  await createHolder(suite, { role: 'a', seed: 1 })
  await suite.createAgent(['a'])
  await rotate(suite, 'spring')
  await suite.start()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current'])
})

test('LCA-45 an operator that adopts what is labelled takes nothing that is not, and nothing when copies differ', async () => {
  await using suite = await aSuite(['a', 'b'], adoptsLabelled)
  await createHolder(suite, { role: 'a', seed: 3, metadata: { labels: {} } })
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  expect(await placesOf(suite, 3)).toEqual([printKey(suite.replicaKey('a'))])
  expect(await suite.condition()).toMatchObject(isReady)

  await using other = await aSuite(['a', 'b'], adoptsLabelled)
  for (const holder of differing.slice(0, 2)) await createHolder(other, holder)
  await other.start()
  await other.createAgent(['b'])
  await other.settle()
  expect(await other.canonical()).toBeUndefined()
  expect(await other.condition()).toMatchObject({ reason: 'AdoptionAmbiguous' })
  await other.user.delete(Secret, other.replicaKey('a'))
  await other.settle()
  await expectAdopted(other, 2)
})
