import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import { adoptAnnotation, agentNames } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import { annotateAgent, createHolder, type Holder, keyOfHolder, placesOf, printSecrets } from '../kit/key-holder.ts'
import { createService, deleteService } from '../kit/services.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const { earlyReplica, canonical } = agentNames
const isReady = { status: 'True', reason: 'KeyPairReady' }

/** A suite with these Secrets and a new agent, whose operator has nothing left to do. */
const aNewAgentBeside = async (holders: readonly Holder[], targets: readonly string[]): Promise<Suite> => {
  const suite = await aSuite(['a', 'b'])
  for (const holder of holders) await createHolder(suite, { writer: 'somebody', ...holder })
  await suite.start()
  await suite.createAgent(targets)
  await suite.settle()
  return suite
}

/** Does what the agent's message tells people to do. */
const runCommandOf = async (suite: Suite): Promise<void> => {
  const { message = '' } = (await suite.condition()) ?? {}
  const [, name = '', annotation = '', value = ''] =
    /kubectl annotate --overwrite ledgerclusteragent (\S+) ([^\s=]+)=(\S+)/.exec(message) ?? []
  await suite.user.patch(LedgerClusterAgent, { name }, { metadata: { annotations: { [annotation]: value } } })
}

const holders: readonly (Holder & { readonly what: string })[] = [
  { what: 'at the name of today', role: 'a', seed: 3 },
  { what: 'at the name of old', role: 'a', seed: 3, name: earlyReplica },
  { what: 'at the name of a canonical Secret', role: 'a', seed: 3, name: canonical },
]

test.for(holders)('LCA-43 a new agent asks before it takes a key $what in its target', async (holder) => {
  await using suite = await aNewAgentBeside([holder], ['a', 'b'])
  const key = printKey(keyOfHolder(suite, holder))
  expect(await placesOf(suite, 3)).toEqual([key])
  expect(await suite.secrets()).toHaveLength(1)
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'AdoptionNeedsConsent' })
  expect(condition?.message).toContain(`${key} (key ${keyIdOf(aKey(3))})`)
  expect(condition?.message).toContain(
    `kubectl annotate --overwrite ledgerclusteragent ${suite.agentName} ${adoptAnnotation}=${key}`,
  )
  expect((await suite.agent())?.status).not.toHaveProperty('keyID')

  const before = await printSecrets(suite)
  await suite.restart()
  expect(await printSecrets(suite)).toEqual(before)
})

test.for(holders)('LCA-43 LCA-44 the command in the message adopts the key $what', async (holder) => {
  await using suite = await aNewAgentBeside([holder], ['a', 'b'])
  await runCommandOf(suite)
  await suite.settle()
  expect(await suite.canonical()).toMatchObject({ data: aKey(3), immutable: true })
  for (const role of ['a', 'b']) expect((await suite.replica(role))?.data).toEqual(aKey(3))
  expect((await suite.agent())?.status?.keyID).toBe(keyIdOf(aKey(3)))
  expect(await suite.condition()).toMatchObject(isReady)
})

test.for(holders)('LCA-43 when the Secret $what is deleted instead, a new key is minted', async (holder) => {
  await using suite = await aNewAgentBeside([holder], ['a', 'b'])
  await suite.user.delete(Secret, keyOfHolder(suite, holder))
  await suite.settle()
  expect(await placesOf(suite, 3)).toEqual([])
  expect((await suite.replica('a'))?.data).toEqual((await suite.canonical())?.data)
  expect(await suite.condition()).toMatchObject(isReady)
})

test('LCA-43 the namespace of a service that the selector matches is a target like any other', async () => {
  await using suite = await aSuite(['a', 'b'])
  await createService(suite, 'a')
  await createHolder(suite, { role: 'a', seed: 3 })
  await suite.start()
  await suite.createAgent(['b'])
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'AdoptionNeedsConsent' })
  expect(await suite.secrets()).toHaveLength(1)
  await deleteService(suite, 'a')
  await suite.settle()
  expect(await suite.condition()).toMatchObject(isReady)
  expect(await placesOf(suite, 3)).toEqual([printKey(suite.replicaKey('a'))])
})

test('LCA-44 a Secret outside the targets is adopted when it is named, and then collected', async () => {
  await using suite = await aNewAgentBeside([{ role: 'b', seed: 3 }], [])
  expect(await suite.canonical()).toBeUndefined()
  await annotateAgent(suite, { [adoptAnnotation]: printKey(suite.replicaKey('b')) })
  await suite.settle()
  expect(await placesOf(suite, 3)).toEqual([printKey(suite.canonicalKey())])
})

test.for<{ what: string; holder: Holder; names?: (suite: Suite) => string }>([
  {
    what: 'is not there',
    holder: { role: 'b', seed: 3 },
    names: (suite) => printKey(suite.replicaKey('a')),
  },
  { what: 'is not labelled', holder: { role: 'b', seed: 3, metadata: { labels: {} } } },
  {
    what: 'is labelled as another agent’s',
    holder: { role: 'b', seed: 3, metadata: { labels: { [agentNames.label]: 'somebody-else' } } },
  },
  { what: 'does not hold together', holder: { role: 'b', data: { ...aKey(3), 'key-id': aKey(4)['key-id'] ?? '' } } },
  { what: 'has no seed', holder: { role: 'b', data: { ...aKey(3), 'seed.hex': '' } } },
  { what: 'has another name than copies have', holder: { role: 'b', seed: 3, name: () => 'my-keys' } },
  { what: 'has no namespace', holder: { role: 'b', seed: 3 }, names: (suite) => suite.replicaKey('b').name },
])('LCA-44 a Secret that $what cannot be adopted', async ({ holder, names }) => {
  await using suite = await aSuite(['a', 'b'])
  await createHolder(suite, { writer: 'somebody', ...holder })
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  const named = names?.(suite) ?? printKey(keyOfHolder(suite, holder))
  await annotateAgent(suite, { [adoptAnnotation]: named })
  await suite.target(['a'])
  await suite.settle()
  expect(await suite.secrets()).toHaveLength(1)
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'AdoptionImpossible' })
  expect(condition?.message).toContain(named)

  await annotateAgent(suite, { [adoptAnnotation]: null })
  await suite.settle()
  expect(await suite.condition()).toMatchObject(isReady)
  expect((await suite.canonical())?.data?.['seed.hex']).not.toBe(aKey(3)['seed.hex'])
})

test('LCA-44 a Secret that comes after it was named is adopted', async () => {
  await using suite = await aNewAgentBeside([], [])
  await annotateAgent(suite, { [adoptAnnotation]: printKey(suite.replicaKey('a')) })
  await suite.target(['a'])
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'AdoptionImpossible' })
  await createHolder(suite, { role: 'a', seed: 3 })
  await suite.settle()
  expect((await suite.canonical())?.data).toEqual(aKey(3))
  expect(await suite.condition()).toMatchObject(isReady)
})

test('LCA-44 LCA-5 an agent that has its key does not take another, whatever is named', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.canonical()
  await suite.createNamespaces('b')
  await createHolder(suite, { role: 'b', seed: 3 })
  await annotateAgent(suite, { [adoptAnnotation]: printKey(suite.replicaKey('b')) })
  await suite.settle()
  await suite.restart()
  expect((await suite.canonical())?.data).toEqual(before?.data)
  expect(await placesOf(suite, 3)).toEqual([printKey(suite.replicaKey('b'))])
})
