import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation } from '../../src/pure/names.ts'
import golden from '../fixtures/ledger-operator.json' with { type: 'json' }
import { isWrite } from '../kit/request.ts'
import { createService } from '../kit/services.ts'
import { aSuite, type Suite, type SuiteOptions } from '../kit/suite.ts'

const roles = golden.replicas.map(({ metadata }) => metadata.namespace)

/** A suite with an agent and Secrets as the former operator left them, under names of the suite's own. */
const aFormerOperatorsSuite = async (options: SuiteOptions = {}): Promise<Suite> => {
  const suite = await aSuite(roles, options)
  const former = suite.user.as('ledger-operator')
  const { spec, status, metadata } = golden.agent
  await suite.createAgent(spec.additionalNamespaces, { finalizers: metadata.finalizers, annotations: claimOf(suite) })
  await former.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { scopes: spec.scopes } })
  const rename = (namespace: string) => ({
    namespace: suite.named(namespace),
    name: agentNames.replica(suite.agentName),
  })
  await former.patchStatus(
    LedgerClusterAgent,
    { name: suite.agentName },
    {
      status: {
        ...status,
        distributedSecretRefs: status.distributedSecretRefs.map(({ namespace }) => rename(namespace)),
        matchedServices: status.matchedServices.map(({ namespace, name }) => ({
          namespace: suite.named(namespace),
          name,
        })),
      },
    },
  )
  for (const { namespace, name } of status.matchedServices) await createService(suite, namespace, { name })
  const labels = { [agentNames.label]: suite.agentName }
  const { data, type } = golden.canonical
  await former.create(Secret, { metadata: { ...suite.canonicalKey(), labels }, data, type })
  for (const replica of golden.replicas) {
    const key = rename(replica.metadata.namespace)
    await former.create(Secret, { metadata: { ...key, labels }, data: replica.data, type: replica.type })
  }
  return suite
}

const claimOf = (suite: Suite) => ({ [claimAnnotation]: suite.operatorNamespace })

const uidsAndData = async (suite: Suite) =>
  (await suite.secrets()).map(({ metadata, data, type }) => ({
    namespace: metadata.namespace,
    uid: metadata.uid,
    data,
    type,
  }))

test('LCA-22 the former operator’s agent keeps its key and its Secrets', async () => {
  await using suite = await aFormerOperatorsSuite()
  const before = await uidsAndData(suite)
  await suite.start()
  await suite.settle()
  expect(await uidsAndData(suite)).toEqual(before)
  expect(before).toHaveLength(4)
  expect(new Set(before.map(({ data }) => data?.['seed.hex']))).toEqual(new Set([golden.canonical.data['seed.hex']]))
  expect((await suite.agent())?.status).toMatchObject({ keyID: golden.agent.status.keyID, phase: 'Ready' })
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
  expect((await suite.canonical())?.metadata.annotations).toMatchObject({
    'holdfast.dev/key-id': golden.agent.status.keyID,
    'holdfast.dev/operator': suite.operatorNamespace,
  })
})

test('LCA-22 no copy ever holds another value while it is taken over', async () => {
  const sent: string[] = []
  await using suite = await aFormerOperatorsSuite({
    gate: {
      onCall: ({ body }, described) => {
        if (described.plural === 'secrets' && isWrite(described)) sent.push(`${described.verb} ${body ?? ''}`)
        return undefined
      },
    },
  })
  await suite.start()
  await suite.settle()
  expect(sent.filter((write) => /^(?:create|delete)/.test(write))).toEqual([])
  for (const write of sent.filter((text) => text.includes('"data":'))) {
    expect(JSON.parse(write.slice(write.indexOf('{')))).toMatchObject({ data: golden.canonical.data })
  }
})

test('LCA-22 what the former operator owned of a replica is ours afterwards, so that what we drop goes', async () => {
  await using suite = await aFormerOperatorsSuite()
  await suite.start()
  await suite.settle()
  for (const role of roles) {
    const entries = (await suite.replica(role))?.metadata.managedFields
    expect(entries?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([`${agentNames.manager} Apply`])
  }
})

test('LCA-22, LCA-12 LCA-26 a namespace taken off the list loses its copy, and what a service was matched for stays', async () => {
  await using suite = await aFormerOperatorsSuite()
  await suite.target([])
  await suite.start()
  await suite.settle()
  const left = [suite.operatorNamespace, suite.named('team-a'), suite.named('team-b')]
  expect((await suite.secrets()).map(({ metadata }) => metadata.namespace).sort()).toEqual(left.sort())
  expect((await suite.agent())?.status?.matchedServices).toHaveLength(2)
})

test('LCA-26 LCA-7 a copy that a service was matched for is put back like any other', async () => {
  await using suite = await aFormerOperatorsSuite()
  await suite.start()
  await suite.settle()
  await suite.user.delete(Secret, suite.replicaKey('team-a'))
  await suite.settle()
  expect((await suite.replica('team-a'))?.data).toEqual(golden.canonical.data)
})

test('LCA-22, LCA-20 an agent of the former operator takes all of its Secrets with it', async () => {
  await using suite = await aFormerOperatorsSuite()
  await suite.restart(() => suite.deleteAgent())
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
})

test('LCA-22, LCA-23 the status of an agent that was taken over names no Secret that is gone', async () => {
  await using suite = await aFormerOperatorsSuite()
  await suite.start()
  await suite.settle()
  await suite.target([])
  await suite.settle()
  const refs = (await suite.agent())?.status?.distributedSecretRefs ?? []
  expect(refs.map(({ namespace }) => namespace)).toEqual([suite.named('team-a'), suite.named('team-b')])
})

test('LCA-22, LCA-24 the status of an agent that was taken over is written only when it says something new', async () => {
  let writes = 0
  await using suite = await aFormerOperatorsSuite({
    gate: {
      onCall: (_, { verb, name }) => {
        if (verb === 'status' && name === suite.agentName) writes += 1
        return undefined
      },
    },
  })
  await suite.start()
  await suite.settle()
  expect(writes).toBe(1)
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { labels: { touched: 'yes' } } })
  await suite.settle()
  expect(writes).toBe(1)
})
