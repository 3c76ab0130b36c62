import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation } from '../../src/pure/names.ts'
import { isEqualToServer } from '../kit/idle.ts'
import { isWrite } from '../kit/request.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'

const hold = ['example.com/hold']

test('LCA-18 finalizer and claim are there before the first Secret is', async () => {
  let agentThen: LedgerClusterAgent | undefined
  await using suite = await aSuite(['a'], {
    gate: {
      onCall: (_, { verb, plural }) =>
        verb === 'create' && plural === 'secrets'
          ? async (pass) => {
              agentThen ??= await suite.agent()
              return pass()
            }
          : undefined,
    },
  })
  await suite.start()
  await suite.createAgent(['a'], { finalizers: hold })
  await suite.settle()
  expect(agentThen?.metadata.annotations).toEqual({ [claimAnnotation]: suite.operatorNamespace })
  expect(agentThen?.metadata.finalizers).toEqual([...hold, agentNames.finalizer])
  expect(agentThen?.status).toBeUndefined()
})

test('LCA-18 a finalizer that somebody took away is put back', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { finalizers: hold } })
  await suite.settle()
  expect((await suite.agent())?.metadata.finalizers).toEqual([...hold, agentNames.finalizer])
})

test('LCA-18 an agent that is deleted before it was ever marked is left to go', async () => {
  await using suite = await aSuite(['a'])
  await suite.createAgent(['a'], { finalizers: hold })
  await suite.deleteAgent()
  const before = await suite.agent()
  await suite.restart()
  expect({ agent: await suite.agent(), secrets: await suite.secrets() }).toEqual({ agent: before, secrets: [] })
})

test('LCA-19 an agent that another installation claims is left alone, also when it is deleted', async () => {
  await using suite = await aSuite(['a'])
  const annotations = { [claimAnnotation]: suite.named('elsewhere') }
  await suite.createAgent(['a'], { annotations, finalizers: hold })
  const before = await suite.agent()
  await suite.start()
  await suite.settle()
  expect(await suite.agent()).toEqual(before)
  expect(await suite.secrets()).toEqual([])
  await suite.deleteAgent()
  await suite.settle()
  expect((await suite.agent())?.metadata.finalizers).toEqual(hold)
})

test('LCA-19 an agent that is handed over to another installation keeps its Secrets as they are', async () => {
  await using suite = await aServedSuite(['a'])
  const annotations = { [claimAnnotation]: suite.named('elsewhere') }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })
  await suite.settle()
  await suite.user.delete(Secret, suite.replicaKey('a'))
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.replica('a')).toBeUndefined()
  expect(await suite.canonical()).toBeDefined()
  expect((await suite.agent())?.metadata.finalizers).toEqual([agentNames.finalizer])
})

test('LCA-20 deleting an agent removes its replicas, then its canonical Secret, then the finalizer', async () => {
  const left: string[][] = []
  await using suite = await aServedSuite(['a', 'b'], {
    gate: {
      onCall: (_, described) =>
        described.verb === 'delete' || (isWrite(described) && left.length > 0)
          ? async (pass) => {
              left.push((await suite.secrets()).map(({ metadata }) => metadata.name))
              return pass()
            }
          : undefined,
    },
  })
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
  const canonicalsTurn = left.findIndex((names) => !names.includes(suite.replicaKey('a').name))
  expect(left[canonicalsTurn]).toEqual([suite.canonicalKey().name])
  expect(left.at(-1)).toEqual([])
})

test('LCA-20 an agent that never had a key goes at once', async () => {
  await using suite = await aServedSuite([])
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})

test.for([
  { what: 'a namespace that was taken off the list', change: (suite: Suite) => suite.target(['a']) },
  { what: 'a copy that lost its label', change: (suite: Suite) => suite.stripLabel(suite.replicaKey('a')) },
  { what: 'a canonical Secret that lost its label', change: (suite: Suite) => suite.stripLabel(suite.canonicalKey()) },
])('LCA-20 an agent that is deleted while no operator runs takes $what with it', async ({ change }) => {
  await using suite = await aServedSuite(['a', 'b'], { isUnguarded: true })
  await suite.restart(async () => {
    await change(suite)
    await suite.deleteAgent()
  })
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-20 a copy that lost its label is found beside a foreign Secret that stays', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.restart(async () => {
    await suite.user.delete(Secret, suite.replicaKey('b'))
    const labels = { [agentNames.label]: suite.agentName }
    await suite.user.create(Secret, { metadata: { ...suite.replicaKey('b'), labels }, data: { mine: 'eA==' } })
    await suite.stripLabel(suite.replicaKey('a'))
    await suite.deleteAgent()
  })
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.replica('a')).toBeUndefined()
  expect((await suite.replica('b'))?.data).toEqual({ mine: 'eA==' })
})

test('LCA-21 the agent waits for a Secret that somebody else’s finalizer holds, and says so', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  await suite.user.patch(Secret, suite.replicaKey('a'), { metadata: { finalizers: hold } })
  await suite.settle()
  await suite.deleteAgent()
  await suite.settle()
  expect((await suite.agent())?.metadata.finalizers).toEqual([agentNames.finalizer])
  const left = [suite.operatorNamespace, suite.named('a')]
  expect((await suite.secrets()).map(({ metadata }) => metadata.namespace).sort()).toEqual(left.sort())
  const condition = await suite.condition()
  expect(condition).toMatchObject({ status: 'False', reason: 'Deleting' })
  expect(condition?.message).toContain(`${suite.named('a')}/${suite.replicaKey('a').name}`)

  await suite.user.patch(Secret, suite.replicaKey('a'), { metadata: { finalizers: [] } })
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-21 an agent that another finalizer holds loses ours once its Secrets are gone', async () => {
  await using suite = await aSuite(['a'])
  await suite.start()
  await suite.createAgent(['a'], { finalizers: hold })
  await suite.settle()
  await suite.deleteAgent()
  await suite.settle()
  expect((await suite.agent())?.metadata.finalizers).toEqual(hold)
  expect(await suite.secrets()).toEqual([])
})

test('LCA-20 an agent made anew under its old name keeps the key that was restored with it', async () => {
  await using suite = await aServedSuite(['a'])
  const backup = await suite.replica('a')
  await suite.user.patch(Secret, suite.replicaKey('a'), { metadata: { finalizers: hold } })
  await suite.deleteAgent()
  await suite.settle()
  suite.gate.hold('*')
  suite.gate.hold(LedgerClusterAgent.plural)
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { finalizers: [] } })
  await suite.user.patch(Secret, suite.replicaKey('a'), { metadata: { finalizers: [] } })
  await suite.createAgent(['a'], { finalizers: [agentNames.finalizer] })
  const labels = backup?.metadata.labels
  await suite.user.create(Secret, { metadata: { ...suite.replicaKey('a'), labels }, data: backup?.data })
  suite.gate.release('*')
  await eventually('the operator has seen the Secrets, and done what it does', async () => {
    const { operator, client, scope } = suite
    const secrets = operator.informers.filter(({ view }) => view.kind === Secret)
    return (await isEqualToServer({ informers: secrets }, client, scope)) && operator.isQuiet
  })
  suite.gate.release()
  await suite.settle()
  expect((await suite.canonical())?.data).toEqual(backup?.data)
  expect((await suite.replica('a'))?.data).toEqual(backup?.data)
  expect(await suite.condition()).toMatchObject({ status: 'True' })
})

test('LCA-21 a copy that is held at the last moment keeps the canonical Secret and the agent', async () => {
  await using suite = await aServedSuite(['a'], {
    gate: {
      onCall: (_, { verb, name }) =>
        verb === 'delete' && name === suite.replicaKey('a').name
          ? async (pass) => {
              await suite.user.patch(Secret, suite.replicaKey('a'), { metadata: { finalizers: hold } })
              return pass()
            }
          : undefined,
    },
  })
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'Deleting' })
  expect(await suite.canonical()).toBeDefined()
  await suite.user.patch(Secret, suite.replicaKey('a'), { metadata: { finalizers: [] } })
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})
