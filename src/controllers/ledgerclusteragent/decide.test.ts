import { expect, test } from 'vitest'
import { aKey, anAgent, anEntry, anObserved, aSecret, keyIdOf, unread, unsound } from '../../../test/fixtures/agent.ts'
import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import { type Effect, targetOf } from '../../pure/effects.ts'
import { agentNames, claimAnnotation, revokeAnnotation } from '../../pure/names.ts'
import { printKey } from '../../pure/object.ts'
import type { Plan } from '../../pure/plan.ts'
import { decide } from './decide.ts'
import { type Observed, targetNamespacesOf } from './observed.ts'

const keyID = keyIdOf(aKey())
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const otherKey = { known: digestAgentKey(aKey(9)) }
const marks = {
  'holdfast.dev/generation': '1',
  'holdfast.dev/key-id': keyID,
  'holdfast.dev/operator': 'system',
  'holdfast.dev/agent-uid': 'uid-biller',
}
const canonical = aSecret('system', { metadata: { annotations: marks } })

const print = (effect: Effect): string => `${effect.do} ${printKey(targetOf(effect))}`
const printed = ({ steps }: Plan): readonly (readonly string[])[] => steps.map((step) => step.map(print))

const replicaOf = (namespace: string) => `${namespace}/ledger-biller-agent-keys`
const canonicalName = 'system/ledger-biller-agent-canonical'

test.for<{ name: string; observed: Observed; steps: readonly (readonly string[])[] }>([
  {
    name: 'LCA-18 an unmarked agent is marked, and nothing else',
    observed: anObserved({ agent: anAgent({ metadata: { annotations: {}, finalizers: [] } }) }),
    steps: [['mark biller']],
  },
  {
    name: 'LCA-18 an agent on its way out that has our finalizer but no claim is marked, so that it can go',
    observed: anObserved({ agent: anAgent({ metadata: { ...deleted, annotations: {} } }) }),
    steps: [['mark biller']],
  },
  {
    name: 'LCA-18 an agent on its way out without our finalizer is left to go',
    observed: anObserved({ agent: anAgent({ metadata: { ...deleted, finalizers: ['example.com/hold'] } }) }),
    steps: [],
  },
  {
    name: 'LCA-19 an agent of another operator is left alone',
    observed: anObserved({
      agent: anAgent({ metadata: { ...deleted, annotations: { [claimAnnotation]: 'other' } } }),
      canonical,
    }),
    steps: [],
  },
  { name: 'LCA-17 in doubt nothing is done', observed: anObserved({ doubt: 'cannot list Secrets' }), steps: [] },
  {
    name: 'LCA-62 but what is taken back is written down, also on a key that cannot be read',
    observed: anObserved({
      agent: anAgent({ metadata: { annotations: { [claimAnnotation]: 'system', [revokeAnnotation]: keyID } } }),
      canonical: { ...canonical, key: unread },
    }),
    steps: [[`mark ${canonicalName}`]],
  },
  {
    name: 'LCA-1 a key that nobody asks for is not minted',
    observed: anObserved({ agent: anAgent({ namespaces: [] }) }),
    steps: [],
  },
  {
    name: 'LCA-1 a key is minted before anything is copied',
    observed: anObserved(),
    steps: [[], [`mint ${canonicalName}`]],
  },
  {
    name: 'LCA-6 the key goes to every namespace at once',
    observed: anObserved({ canonical }),
    steps: [[`create ${replicaOf('a')}`, `create ${replicaOf('b')}`]],
  },
  {
    name: 'LCA-3 a canonical Secret without its marks gets them',
    observed: anObserved({ agent: anAgent({ namespaces: [] }), canonical: aSecret('system') }),
    steps: [[`mark ${canonicalName}`]],
  },
  {
    name: 'LCA-3 a canonical Secret without its label gets it',
    observed: anObserved({
      agent: anAgent({ namespaces: [] }),
      canonical: aSecret('system', { metadata: { annotations: marks, labels: {}, managedFields: [anEntry()] } }),
    }),
    steps: [[`mark ${canonicalName}`]],
  },
  {
    name: 'LCA-12 a replica outside the list goes, and a foreign Secret and the canonical Secret stay',
    observed: anObserved({
      agent: anAgent({ namespaces: [] }),
      canonical,
      replicas: [aSecret('a'), aSecret('b', { key: unsound })],
    }),
    steps: [[`delete ${replicaOf('a')}`]],
  },
  {
    name: 'LCA-14 a canonical Secret is restored, and nothing else',
    observed: anObserved({ agent: anAgent({ status: { keyID } }), replicas: [aSecret('a')] }),
    steps: [[`create ${canonicalName}`]],
  },
  {
    name: 'LCA-15 a lost key is left to people',
    observed: anObserved({ agent: anAgent({ status: { keyID } }), replicas: [aSecret('c', { key: unsound })] }),
    steps: [],
  },
  {
    name: 'LCA-16 an invalid key is left to people',
    observed: anObserved({ canonical: aSecret('system', { key: unsound }), replicas: [aSecret('c')] }),
    steps: [],
  },
  {
    name: 'LCA-20 replicas go before the canonical Secret, and that before the finalizer',
    observed: anObserved({ agent: anAgent({ metadata: deleted }), canonical, replicas: [aSecret('a'), aSecret('c')] }),
    steps: [
      [`delete ${replicaOf('a')}`, `delete ${replicaOf('c')}`],
      [`mark ${canonicalName}`],
      [`delete ${canonicalName}`],
      ['mark biller'],
    ],
  },
  {
    name: 'LCA-20 the canonical Secret of another installation goes too, and is marked first',
    observed: anObserved({
      agent: anAgent({ metadata: deleted }),
      relics: [
        aSecret('former', {
          metadata: { name: agentNames.canonical('biller'), annotations: { ...marks, [claimAnnotation]: 'former' } },
        }),
      ],
    }),
    steps: [
      ['mark former/ledger-biller-agent-canonical'],
      ['delete former/ledger-biller-agent-canonical'],
      [],
      [],
      ['mark biller'],
    ],
  },
  {
    name: 'LCA-21 a Secret that somebody else holds keeps the finalizer on',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, status: { keyID } }),
      replicas: [aSecret('a', { metadata: { finalizers: ['example.com/hold'] } })],
    }),
    steps: [[`delete ${replicaOf('a')}`]],
  },
  {
    name: 'LCA-21 a canonical Secret that somebody else holds keeps the finalizer on',
    observed: anObserved({
      agent: anAgent({ metadata: deleted }),
      canonical: aSecret('system', { metadata: { ...canonical.metadata, finalizers: ['example.com/hold'] } }),
    }),
    steps: [[], [`mark ${canonicalName}`], [`delete ${canonicalName}`], []],
  },
  {
    name: 'LCA-21 a Secret that is on its way out already is waited for',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, status: { keyID } }),
      replicas: [aSecret('a', { metadata: deleted })],
    }),
    steps: [[]],
  },
  {
    name: 'LCA-21 a Secret with a key that is not the agent’s is neither deleted nor waited for',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, status: { keyID } }),
      replicas: [aSecret('a', { key: otherKey, metadata: { finalizers: ['example.com/hold'] } })],
    }),
    steps: [['mark biller']],
  },
  {
    name: 'LCA-21 a Secret that we wrote and that holds another key is deleted, and not waited for',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, status: { keyID } }),
      replicas: [
        aSecret('a', { key: otherKey, metadata: { managedFields: [anEntry()], finalizers: ['example.com/hold'] } }),
      ],
    }),
    steps: [[`delete ${replicaOf('a')}`], [], [], ['mark biller']],
  },
  {
    name: 'LCA-20 the finalizer goes last',
    observed: anObserved({ agent: anAgent({ metadata: deleted }) }),
    steps: [['mark biller']],
  },
])('$name', ({ observed, steps }) => {
  expect(printed(decide(observed)).filter((step) => steps.length > 0 || step.length > 0)).toEqual(steps)
})

test('LCA-18 finalizer and claim are one mark, beside the finalizers of others', () => {
  const { steps } = decide(
    anObserved({ agent: anAgent({ metadata: { annotations: {}, finalizers: ['example.com/hold'] } }) }),
  )
  expect(steps).toMatchObject([
    [
      {
        do: 'mark',
        on: { uid: 'uid-biller', resourceVersion: '7' },
        set: { annotations: { [claimAnnotation]: 'system' }, finalizers: ['example.com/hold', agentNames.finalizer] },
      },
    ],
  ])
})

test('LCA-18 an agent without any finalizer gets ours, unless it is on its way out', () => {
  const { finalizers: _, ...metadata } = anAgent().metadata
  const stepsFor = (more: object) =>
    decide(anObserved({ agent: { ...anAgent(), metadata: { ...metadata, ...more } } })).steps
  expect(stepsFor({})).toMatchObject([[{ set: { finalizers: [agentNames.finalizer] } }]])
  expect(stepsFor(deleted)).toEqual([])
})

test('LCA-20 the finalizers of others stay', () => {
  const finalizers = ['example.com/hold', agentNames.finalizer]
  const { steps } = decide(anObserved({ agent: anAgent({ metadata: { ...deleted, finalizers } }) }))
  expect(steps).toMatchObject([[{ do: 'mark', set: { finalizers: ['example.com/hold'] } }]])
})

test('LCA-14 a restored canonical Secret is immutable and carries its marks', () => {
  const { steps } = decide(anObserved({ agent: anAgent({ status: { keyID } }), replicas: [aSecret('a')] }))
  expect(steps).toMatchObject([[{ object: { immutable: true, metadata: { annotations: marks } } }]])
})

test('LCA-19 an agent of another operator gets no status, and the log says whose it is', () => {
  const plan = decide(anObserved({ agent: anAgent({ metadata: { annotations: { [claimAnnotation]: 'other' } } }) }))
  expect(plan.status).toBeUndefined()
  expect(plan.remark).toContain('other')
})

test.for([
  { name: 'a list that failed', observed: anObserved({ doubt: 'x' }) },
  {
    name: 'a replica that cannot be read',
    observed: anObserved({ canonical, replicas: [aSecret('a', { key: unread })] }),
  },
])('LCA-17 after $name the operator looks again', ({ observed }) => {
  expect(decide(observed).lookAgain).toEqual({ after: 10_000 })
})

test('LCA-6 targets are in order, without blanks and repetitions', () => {
  const targetsOf = (agent: LedgerClusterAgent) => targetNamespacesOf(anObserved({ agent }))
  expect(targetsOf(anAgent({ namespaces: ['b', '', 'a', 'b'] }))).toEqual(['a', 'b'])
  expect(targetsOf({ ...anAgent(), spec: { selector: {} } })).toEqual([])
})
