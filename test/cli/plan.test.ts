import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { PlanDocument } from '../../src/cli/plan/document.ts'
import { Secret } from '../../src/pure/kind.ts'
import { pausedAnnotation } from '../../src/pure/names.ts'
import { aServedSuite, aSuite } from '../kit/suite.ts'
import { plan, planFor } from './run-plan.ts'

test('PLAN-3, PLAN-7, PLAN-13 an unclaimed agent would be marked and then get its key, and the exit code says that there is something to do', async () => {
  await using suite = await aSuite(['a'])
  await suite.createAgent(['a'])

  expect(await planFor(suite)).toEqual({
    code: 1,
    stdout: [
      'LedgerClusterAgent agent-*: unmarked (Distributing: the key is on its way to 1 namespaces)',
      '  mark LedgerClusterAgent agent-*',
      '    + metadata.finalizers: ledger.formance.com/agent-keys',
      '  then: unminted (Distributing: the key is on its way to 1 namespaces)',
      '  mint Secret operator-*/ledger-agent-*-agent-canonical',
      '    + apiVersion: v1',
      '    + kind: Secret',
      '    + metadata:',
      '    +   namespace: operator-*',
      '    +   name: ledger-agent-*-agent-canonical',
      '    +   labels:',
      '    +     ledger.formance.com/agent-name: agent-*',
      '    +   annotations:',
      '    +     holdfast.dev/generation: "1"',
      '    +     holdfast.dev/operator: operator-*',
      `    +     holdfast.dev/agent-uid: ${(await suite.agent())?.metadata.uid}`,
      '    + type: Opaque',
      '    + immutable: true',
      '',
      '1 object, 1 with changes, 2 effects',
      '',
    ].join('\n'),
    stderr: 'planned as the operator in namespace operator-*\n',
  })
})

test('PLAN-7 an agent at rest is one line, and the exit code is 0', async () => {
  await using suite = await aServedSuite(['a'])

  expect(await planFor(suite)).toMatchObject({
    code: 0,
    stdout: [
      'LedgerClusterAgent agent-*: established (KeyPairReady: the key is in 1 of 1 namespaces), nothing to do',
      '1 object, 0 with changes, 0 effects',
      '',
    ].join('\n'),
  })
})

test('PLAN-4, PLAN-5 a copy that is gone would be created, and its secrets are not shown', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.stop()
  const seed = (await suite.canonical())?.data?.['seed.hex'] ?? ''
  await suite.user.delete(Secret, suite.replicaKey('a'))

  const { code, stdout } = await planFor(suite)
  const json = await plan(`LedgerClusterAgents/${suite.agentName}`, '-o', 'json')

  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: [
      'LedgerClusterAgent agent-*: established (Distributing: the key is in 0 of 1 namespaces; the key is on its way: a-*)',
      '  create Secret a-*/ledger-agent-*-agent-keys',
      '    + apiVersion: v1',
      '    + kind: Secret',
      '    + metadata:',
      '    +   namespace: a-*',
      '    +   name: ledger-agent-*-agent-keys',
      '    +   labels:',
      '    +     ledger.formance.com/agent-name: agent-*',
      '    +   annotations:',
      '    +     holdfast.dev/applied: #',
      '    + type: Opaque',
      '    + data:',
      '    +   key-id: "[secret]"',
      '    +   pubkey.hex: "[secret]"',
      '    +   seed.hex: "[secret]"',
      '',
      '1 object, 1 with changes, 1 effect',
      '',
    ].join('\n'),
  })
  for (const text of [stdout, json.stdout]) {
    expect(text).not.toContain(seed)
    expect(text).not.toContain(Buffer.from(seed, 'base64').toString())
  }
})

test('PLAN-4 an edited copy would be applied, and the paths that are no longer ours are named', async () => {
  await using suite = await aServedSuite(['a'])
  // The first change of an object that was created takes its fields over; then there is an apply to plan.
  await suite.user.patch(Secret, suite.replicaKey('a'), { data: { 'seed.hex': 'b3RoZXI=' } })
  await suite.settle()
  await suite.stop()
  const change = {
    data: { 'seed.hex': 'YW5vdGhlcg==' },
    metadata: { labels: { 'ledger.formance.com/agent-name': 'x' } },
  }
  await suite.user.patch(Secret, suite.replicaKey('a'), change)

  expect((await planFor(suite)).stdout).toContain(
    [
      '  apply Secret a-*/ledger-agent-*-agent-keys',
      '    + data[seed.hex]: [secret]',
      '    - metadata.labels[ledger.formance.com/agent-name]: x',
      '    + metadata.labels[ledger.formance.com/agent-name]: agent-*',
      '',
    ].join('\n'),
  )
})

test('PLAN-3 a deleted agent shows each step of its end, in order', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.stop()
  await suite.deleteAgent()
  const [replica, canonical] = [await suite.replica('a'), await suite.canonical()]

  const { stdout } = await planFor(suite)

  expect(stdout.replaceAll(/(- |\+ ).*key-id.*$/gm, '$1…').split('\n')).toEqual([
    expect.stringMatching(/^LedgerClusterAgent agent-\*: withdrawing \(Deleting: waiting for Secrets to go: /),
    '  step 1 of 4',
    `  delete Secret a-*/ledger-agent-*-agent-keys (uid ${replica?.metadata.uid})`,
    '  step 2 of 4',
    '  mark Secret operator-*/ledger-agent-*-agent-canonical',
    expect.stringMatching(/^ {4}\+ metadata\.annotations\[holdfast\.dev\/delete\]: [0-9a-f]{16}$/),
    '  step 3 of 4',
    `  delete Secret operator-*/ledger-agent-*-agent-canonical (uid ${canonical?.metadata.uid})`,
    '  step 4 of 4',
    '  mark LedgerClusterAgent agent-*',
    '    - metadata.finalizers: ledger.formance.com/agent-keys',
    '',
    '1 object, 1 with changes, 4 effects',
    '',
  ])
})

test('PLAN-6 where nothing else is left to do, what the status would say anew is shown', async () => {
  await using suite = await aServedSuite(['a'])
  await suite.stop()
  const annotations = { [pausedAnnotation]: 'true' }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })
  await suite.user.delete(Secret, suite.replicaKey('a'))

  const { code, stdout } = await planFor(suite)

  expect(code).toBe(1)
  expect(stdout.split('\n')).toEqual([
    'LedgerClusterAgent agent-*: established (Paused: there is something to do, but this object is paused)',
    '  say in its status',
    '    - phase: Ready',
    '    + phase: Pending',
    '    + targets[0].ready: false',
    '    + targets[0].reason: Distributing',
    '    - conditions.Ready.status: True',
    '    + conditions.Ready.status: False',
    '    - conditions.Ready.reason: KeyPairReady',
    '    + conditions.Ready.reason: Paused',
    '    - conditions.Ready.message: the key is in 1 of 1 namespaces',
    '    + conditions.Ready.message: there is something to do, but this object is paused',
    expect.stringContaining('    + conditions.Paused: {"status":"True","reason":"AskedFor"'),
    expect.stringContaining('    - distributedSecretRefs: [{'),
    '',
    '1 object, 1 with changes, 0 effects',
    '',
  ])
})

test('PLAN-8 with -o json there is one document, the same each time', async () => {
  await using suite = await aSuite(['a'])
  await suite.createAgent(['a'])

  const first = await plan(`lca/${suite.agentName}`, '-o', 'json')
  const second = await plan(`ledgerclusteragent/${suite.agentName}`, '-o', 'json')

  expect(second).toEqual(first)
  expect(JSON.parse(first.stdout) as PlanDocument).toEqual({
    operatorNamespace: suite.operatorNamespace,
    objects: [
      {
        apiVersion: 'ledger.formance.com/v1alpha1',
        kind: 'LedgerClusterAgent',
        name: suite.agentName,
        stage: 'unmarked',
        ready: { status: 'False', reason: 'Distributing', message: 'the key is on its way to 1 namespaces' },
        steps: [
          [
            {
              do: 'mark',
              kind: 'LedgerClusterAgent',
              name: suite.agentName,
              changes: [{ path: 'metadata.finalizers', after: 'ledger.formance.com/agent-keys' }],
            },
          ],
        ],
        statusChanges: [],
        then: [
          {
            stage: 'unminted',
            ready: { status: 'False', reason: 'Distributing', message: 'the key is on its way to 1 namespaces' },
            steps: [[expect.objectContaining({ do: 'mint', kind: 'Secret', ...suite.canonicalKey() })]],
            statusChanges: [],
          },
        ],
      },
    ],
    waiting: [],
    summary: { objects: 1, withChanges: 1, effects: 2 },
  })
})
