import { expect, test } from 'vitest'
import {
  aKey,
  anAgent,
  anEstablished,
  anObserved,
  aSecret,
  keyIdOf,
  aTarget as target,
  unsound,
} from '../../../test/fixtures/agent.ts'
import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Observed, SeenSecret } from './observed.ts'
import type { Stage } from './stage.ts'
import { statusOf } from './status.ts'

const established = anEstablished()

const status = { keyID: 'abc', distributedSecretRefs: [{ namespace: 'a', name: 'ledger-biller-agent-keys' }] }

test.for<{ name: string; stage: Stage; replicas?: readonly SeenSecret[]; keyID: string; refs: unknown }>([
  {
    name: 'the key in use and the Secrets that hold it, wanted there or not',
    stage: established,
    replicas: [aSecret('a'), aSecret('b', { key: unsound }), aSecret('c'), aSecret('d', { metadata: { labels: {} } })],
    keyID: keyIdOf(aKey()),
    refs: ['a', 'c'].map((namespace) => ({ namespace, name: 'ledger-biller-agent-keys' })),
  },
  { name: 'no Secret when none holds the key', stage: established, keyID: keyIdOf(aKey()), refs: undefined },
  {
    name: 'a key that is in doubt as before',
    stage: { is: 'in-doubt', cause: 'x' },
    keyID: 'abc',
    refs: status.distributedSecretRefs,
  },
])('LCA-23 the status names $name', ({ stage, replicas = [], keyID, refs }) => {
  const { fields } = statusOf(anObserved({ agent: anAgent({ status }), replicas }), stage)
  expect(fields).toMatchObject({ keyID, distributedSecretRefs: refs })
})

const services = ['a', 'b'].map((namespace) => ({ namespace, name: 'books', mappedScopes: ['mine'], isAuthOn: true }))
const selecting = (spec: Partial<LedgerClusterAgent['spec']>, matched: Observed['matched'] = { services }) =>
  statusOf(anObserved({ agent: { ...anAgent(), spec: { selector: {}, ...spec } }, matched }), established)

test.for<{ name: string; spec: Partial<LedgerClusterAgent['spec']>; matched?: Observed['matched']; condition: object }>(
  [
    {
      name: 'how many services match',
      spec: { selector: { matchLabels: { env: 'production' } } },
      condition: { status: 'True', reason: 'Resolved', message: '2 services match' },
    },
    {
      name: 'that an empty selector matches every service',
      spec: {},
      condition: {
        status: 'True',
        reason: 'Resolved',
        message: '2 services match: spec.selector is empty, so every LedgerService that this operator sees does',
      },
    },
    {
      name: 'why the selector means nothing (LCA-38)',
      spec: {},
      matched: { fault: 'In needs values (label env)' },
      condition: {
        status: 'False',
        reason: 'SelectorFailed',
        message:
          'spec.selector means nothing: In needs values (label env); the services that matched before keep their copies',
      },
    },
  ],
)('LCA-26 the status says $name', ({ spec, matched, condition }) => {
  expect(selecting(spec, matched).others).toEqual([{ type: 'SelectorResolved', ...condition }])
})

test.for([
  { scopes: ['read', 'ledger:write', 'mine'], services, named: 'read; a token', what: 'a bare scope is named' },
  { scopes: ['mine'], services: [], named: 'mine; a token', what: 'without a service a bare scope means nothing' },
  {
    scopes: ['mine'],
    services: [...services, { namespace: 'c', name: 'books', mappedScopes: [], isAuthOn: true }],
    named: 'mine; a token',
    what: 'one service that does not map a scope is enough',
  },
])('LCA-39 $what', ({ scopes, services: matching, named }) => {
  expect(selecting({ scopes }, { services: matching }).others).toMatchObject([
    {},
    { type: 'ScopesUsable', status: 'False', reason: 'BareScopes', message: expect.stringContaining(named) as string },
  ])
})

test('LCA-39 scopes with a prefix, or mapped by every service, need no word', () => {
  expect(selecting({ scopes: ['ledger:read', 'transactions:write', 'mine'] }).others).toHaveLength(1)
})

test('LCA-36 the status names matched services and, for each target, whether it has the key or why not', () => {
  const targets = [target('a', 'served'), target('b', 'missing')]
  const { fields } = statusOf(anObserved({ matched: { services } }), established, targets)
  expect(fields).toMatchObject({
    matchedServices: [
      { namespace: 'a', name: 'books' },
      { namespace: 'b', name: 'books' },
    ],
    targets: [
      { namespace: 'a', ready: true },
      { namespace: 'b', ready: false, reason: 'NamespaceMissing' },
    ],
  })
})

test('LCA-38 while the selector means nothing the status keeps the services that matched', () => {
  const before = { matchedServices: [{ namespace: 'a', name: 'books' }] }
  const observed = anObserved({ agent: anAgent({ status: before }), matched: { fault: 'x' } })
  const { fields, ready } = statusOf(observed, established, [target('a', 'served')])
  expect(fields).toMatchObject(before)
  expect(ready).toMatchObject({ status: 'False', reason: 'SelectorFailed' })
})

test('LCA-48 copies with another key are named', () => {
  const surplus = { collectable: [], differing: [aSecret('c')], unreadable: [] }
  expect(statusOf(anObserved(), established, [], surplus).others).toMatchObject([
    {},
    { type: 'Collected', status: 'False', reason: 'OtherKey', message: expect.stringContaining('c/ledger') as string },
  ])
})

test('LCA-50 copies where nobody looks stay in the status', () => {
  const refs = ['a', 'far'].map((namespace) => ({ namespace, name: 'ledger-biller-agent-keys' }))
  const observed = anObserved({
    agent: anAgent({ status: { distributedSecretRefs: refs } }),
    replicas: [aSecret('a')],
    namespaces: { a: 'active', far: 'out-of-scope' },
  })
  expect(statusOf(observed, established, [target('a', 'served')]).fields).toMatchObject({ distributedSecretRefs: refs })
})

test('LCA-29 a status that tells of a failure says Error', () => {
  expect(statusOf(anObserved(), established, []).fieldsWhenFailed).toEqual({ phase: 'Error' })
})
