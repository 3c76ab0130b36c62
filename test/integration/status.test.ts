import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { minutes, seconds } from '../../src/pure/duration.ts'
import { keyIdOf } from '../fixtures/agent.ts'
import { type Described, printRequest } from '../kit/request.ts'
import { aServedSuite, aSuite, type SuiteOptions } from '../kit/suite.ts'
import { Fault } from './faults.ts'

test('LCA-23 the status names the key and the Secrets that hold it, by namespace', async () => {
  await using suite = await aSuite(['a', 'b', 'c'])
  await suite.start()
  await suite.createAgent(['c', 'missing', 'a', 'b'])
  await suite.settle()
  const { status, metadata } = (await suite.agent())!
  expect(status?.keyID).toBe(keyIdOf((await suite.canonical())?.data ?? {}))
  expect(status?.distributedSecretRefs).toEqual(['a', 'b', 'c'].map((role) => suite.replicaKey(role)))
  expect(status?.observedGeneration).toBe(metadata.generation)
})

test('LCA-23 every condition carries the generation that it speaks of', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { scopes: ['ledger:read'] } })
  await suite.settle()
  const { status } = (await suite.agent())!
  expect(status?.conditions?.map(({ type, observedGeneration }) => [type, observedGeneration])).toEqual([
    ['Ready', 2],
    ['SelectorResolved', 2],
  ])
})

test('LCA-23 a condition’s transition time moves only when its status does', async () => {
  await using suite = await aServedSuite(['a'])
  const before = await suite.condition()
  suite.clock.turn(seconds(2))
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { scopes: ['ledger:read'] } })
  await suite.settle()
  expect((await suite.condition())?.lastTransitionTime).toBe(before?.lastTransitionTime)
  await suite.target(['a', 'missing'])
  await suite.settle()
  expect((await suite.condition())?.lastTransitionTime).not.toBe(before?.lastTransitionTime)
})

test('LCA-24 an agent is not ready while one of its namespaces lacks the key', async () => {
  await using suite = await aServedSuite(['a'])
  expect(await suite.condition()).toMatchObject({ status: 'True' })
  await suite.target(['a', 'missing'])
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ status: 'False' })
  expect((await suite.agent())?.status?.phase).toBe('Pending')
})

/** What an operator sends for its own agent, and what it sends for all. */
const recorded = (): {
  readonly calls: { suite: string; print: (run: string) => string }[]
  readonly options: SuiteOptions
} => {
  const calls: { suite: string; print: (run: string) => string }[] = []
  const onCall = (request: object, described: Described) => {
    calls.push({ suite: JSON.stringify(request), print: (run) => printRequest(described, run) })
    return undefined
  }
  return { calls, options: { gate: { onCall } } }
}

test('LCA-4 LCA-24 a new agent costs one write for each object, one mark, one status, one event and the evidence', async () => {
  const { calls, options } = recorded()
  await using suite = await aSuite(['a'], options)
  await suite.start()
  await suite.createAgent(['a'])
  await suite.settle()
  const ours = calls.filter((call) => call.suite.includes(suite.id)).map((call) => call.print(suite.id))
  expect(ours.sort()).toEqual([
    'create events default',
    'create secrets a-*/ledger-agent-*-agent-keys',
    'create secrets operator-*/ledger-agent-*-agent-canonical',
    // Before the key is generated: a replica where it would go, and every Secret with the agent's label.
    'get secrets a-*/ledger-agent-*-agent-keys',
    // The values that the replica is made of.
    'get secrets operator-*/ledger-agent-*-agent-canonical',
    'list secrets',
    'mark ledgerclusteragents agent-*',
    'status ledgerclusteragents agent-*',
  ])
})

test('LCA-24 a restarted operator that finds all well writes nothing', async () => {
  const { calls, options } = recorded()
  await using suite = await aServedSuite(['a', 'b'], options)
  await suite.restart(async () => {
    calls.length = 0
  })
  expect(calls.filter((call) => call.suite.includes(suite.id)).map((call) => call.print(suite.id))).toEqual([])
})

test('LCA-27 an hour at rest sends nothing but watches', async () => {
  const { calls, options } = recorded()
  await using suite = await aServedSuite(['a', 'b'], options)
  calls.length = 0
  for (let minute = 0; minute < 60; minute += 1) {
    suite.clock.turn(minutes(1))
    await suite.idle()
  }
  // The clock is turned faster than bookmarks come: each watch takes its link for dead, asks where the server stands
  // (a list of one) and dials again. A Secret of another test may be looked at when it changes; a list would be of all.
  const isRedial = (call: { suite: string }) => call.suite.includes('"limit":"1"')
  const isOurs = (call: (typeof calls)[number]) =>
    call.suite.includes(suite.id) || !call.print(suite.id).startsWith('get')
  const ours = calls.filter((call) => isOurs(call) && !isRedial(call))
  expect(ours.map((call) => call.print(suite.id))).toEqual([])
})

test('LCA-29 a write that is refused is reported, and the other namespaces go on', async () => {
  const body = JSON.stringify({ reason: 'Forbidden', message: 'quota: you sent hunter2' })
  const fault = new Fault({ status: 403, body }, ({ verb, namespace }) => verb === 'create' && namespace === refused)
  await using suite = await aSuite(['a', 'b', 'c'], fault)
  const refused = suite.named('b')
  fault.isOn = true
  await suite.start()
  await suite.createAgent(['a', 'b', 'c'])
  await suite.idle()
  suite.clock.turn(seconds(1))
  await suite.idle()
  for (const role of ['a', 'c']) expect((await suite.replica(role))?.data).toEqual((await suite.canonical())?.data)
  const { name } = suite.replicaKey('b')
  expect(await suite.condition()).toMatchObject({
    status: 'False',
    reason: 'WriteFailed',
    message: `cannot create Secret ${refused}/${name}: the API server answered 403 Forbidden`,
  })
  expect((await suite.agent())?.status).toMatchObject({
    phase: 'Error',
    distributedSecretRefs: [suite.replicaKey('a'), suite.replicaKey('c')],
  })
  expect(suite.logs.join('\n')).not.toContain('hunter2')

  fault.isOn = false
  await suite.settle()
  expect((await suite.replica('b'))?.data).toEqual((await suite.canonical())?.data)
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
})
