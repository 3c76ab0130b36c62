import { expect, test } from 'vitest'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const junk = { 'seed.hex': Buffer.from('mine').toString('base64') }

const plant = async (suite: Suite, label: string | undefined): Promise<void> => {
  const labels = label === undefined ? {} : { [agentNames.label]: label }
  await suite.user.create(Secret, { metadata: { ...suite.replicaKey('a'), labels }, data: junk })
}

/** A suite with a foreign Secret in the place of a's replica, and the Secret as it was. */
const aSuiteWithForeign = async (label: (suite: Suite) => string | undefined) => {
  const suite = await aSuite(['a', 'b'])
  await plant(suite, label(suite))
  const before = await suite.replica('a')
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.settle()
  return { suite, before, [Symbol.asyncDispose]: () => suite[Symbol.asyncDispose]() }
}

/** The label that a foreign Secret carries. */
const cases = [
  { what: 'without our label', label: () => undefined },
  { what: 'with our label', label: (suite: Suite) => suite.agentName },
  { what: 'with another agent’s label', label: (suite: Suite) => suite.named('other') },
]

test.for(cases)(
  'LCA-9 a Secret $what that is not ours stays, and the replica comes when it is gone',
  async ({ label }) => {
    await using scene = await aSuiteWithForeign(label)
    const { suite, before } = scene
    expect(await suite.replica('a')).toEqual(before)
    const canonical = await suite.canonical()
    expect((await suite.replica('b'))?.data).toEqual(canonical?.data)
    const condition = await suite.condition()
    expect(condition).toMatchObject({ status: 'False', reason: 'ForeignSecret' })
    expect(condition?.message).toContain(suite.named('a'))

    await suite.user.delete(Secret, suite.replicaKey('a'))
    await suite.settle()
    expect((await suite.replica('a'))?.data).toEqual(canonical?.data)
    expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
  },
)

test.for(cases)('LCA-9 a Secret $what that takes a deleted replica’s place stays', async ({ label }) => {
  await using suite = await aServedSuite(['a'])
  await suite.restart(async () => {
    await suite.user.delete(Secret, suite.replicaKey('a'))
    await plant(suite, label(suite))
  })
  expect((await suite.replica('a'))?.data).toEqual(junk)
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'ForeignSecret' })
  expect((await suite.agent())?.status?.distributedSecretRefs).toBeUndefined()
})

test.for(cases)(
  'LCA-9, LCA-12, LCA-20 a Secret $what stays when its namespace or the agent goes',
  async ({ label }) => {
    await using scene = await aSuiteWithForeign(label)
    const { suite, before } = scene
    await suite.target(['b'])
    await suite.settle()
    expect(await suite.condition()).toMatchObject({ status: 'True' })
    await suite.deleteAgent()
    await suite.settle()
    expect(await suite.agent()).toBeUndefined()
    expect(await suite.replica('b')).toBeUndefined()
    expect(await suite.replica('a')).toEqual(before)
  },
)
