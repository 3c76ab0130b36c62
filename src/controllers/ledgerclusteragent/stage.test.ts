import { expect, test } from 'vitest'
import { aKey, anAgent, anEntry, anObserved, aSecret, keyIdOf, unread, unsound } from '../../../test/fixtures/agent.ts'
import { agentNames, claimAnnotation, keyIdAnnotation } from '../../pure/names.ts'
import { isOurs } from './ownership.ts'
import { stageOf } from './stage.ts'

const canonical = aSecret('system')
const replica = aSecret('a')
const secret = 'system/ledger-biller-agent-canonical'
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const keyID = keyIdOf(aKey())
const bare = { labels: {} }
const services = [{ namespace: 'a', name: 'books', mappedScopes: [], isAuthOn: true }]
const listings = [{ service: { namespace: 'a', name: 'books' }, keyId: keyID, isOutOfReach: false }]
const refsIn = (...namespaces: readonly string[]) =>
  namespaces.map((namespace) => ({ namespace, name: agentNames.replica('biller') }))
const written = { labels: {}, managedFields: [anEntry()] }

test.for([
  {
    name: 'LCA-19 an agent with another operator’s claim is claimed elsewhere',
    observed: anObserved({ agent: anAgent({ metadata: { annotations: { [claimAnnotation]: 'other' } } }), canonical }),
    stage: { is: 'claimed-elsewhere', by: 'other' },
  },
  {
    name: 'LCA-18 an agent without our claim is unmarked',
    observed: anObserved({ agent: anAgent({ metadata: { annotations: {} } }), canonical }),
    stage: { is: 'unmarked' },
  },
  {
    name: 'LCA-18 an agent without our finalizer is unmarked',
    observed: anObserved({ agent: anAgent({ metadata: { finalizers: ['example.com/hold'] } }), canonical }),
    stage: { is: 'unmarked' },
  },
  {
    name: 'LCA-17 an agent whose Secrets could not be listed is in doubt',
    observed: anObserved({ doubt: 'cannot list Secrets' }),
    stage: { is: 'in-doubt', cause: 'cannot list Secrets' },
  },
  {
    name: 'LCA-17 an agent whose canonical Secret could not be read is in doubt',
    observed: anObserved({ canonical: aSecret('system', { key: unread }) }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-17 an agent on its way out is in doubt when a Secret may be ours and could not be read',
    observed: anObserved({ agent: anAgent({ metadata: deleted }), replicas: [aSecret('a', { key: unread })] }),
    stage: { is: 'in-doubt', cause: unread.unknown },
  },
  {
    name: 'LCA-20 an agent on its way out withdraws all of its key holders and no foreign Secret',
    observed: anObserved({
      agent: anAgent({ metadata: deleted }),
      canonical,
      replicas: [replica, aSecret('b', { key: unsound }), aSecret('c', { metadata: written, key: unread })],
    }),
    stage: {
      is: 'withdrawing',
      generations: [canonical],
      copies: [replica, aSecret('c', { metadata: written, key: unread })],
      mayGoThen: true,
    },
  },
  {
    name: 'LCA-20 an agent on its way out may have replicas left without a canonical Secret',
    observed: anObserved({ agent: anAgent({ metadata: deleted }), replicas: [replica] }),
    stage: { is: 'withdrawing', generations: [], copies: [replica], awaited: [], mayGoThen: true },
  },
  {
    name: 'LCA-20 an agent on its way out is withdrawn when only foreign Secrets remain',
    observed: anObserved({
      agent: anAgent({ metadata: deleted }),
      canonical: aSecret('system', { key: unsound }),
      replicas: [aSecret('a', { metadata: bare })],
    }),
    stage: { is: 'withdrawn' },
  },
  {
    name: 'LCA-49 an agent on its way out waits for the services that list its key',
    observed: anObserved({ agent: anAgent({ metadata: deleted, status: { keyID } }), listings }),
    stage: { is: 'still-held', listedBy: [{ namespace: 'a', name: 'books' }], orphans: [], outOfScope: [] },
  },
  {
    name: 'LCA-49 an agent on its way out does not wait for a service that the operator leaves alone',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, status: { keyID } }),
      listings: listings.map((listing) => ({ ...listing, isOutOfReach: true })),
    }),
    stage: { is: 'withdrawn' },
  },
  {
    name: 'LCA-49 what a service says that has nothing to do with the agent holds it up for nobody',
    observed: anObserved({ agent: anAgent({ metadata: deleted }), listings }),
    stage: { is: 'withdrawn' },
  },
  {
    name: 'LCA-49 the key goes at once, also while a service lists it',
    observed: anObserved({ agent: anAgent({ metadata: deleted }), canonical, listings, matched: { services } }),
    stage: { is: 'withdrawing', generations: [canonical], copies: [], awaited: [], mayGoThen: false },
  },
  {
    name: 'LCA-50 an agent on its way out waits for copies where nobody looks',
    observed: anObserved({
      agent: anAgent({ metadata: deleted, status: { distributedSecretRefs: refsIn('a', 'far') } }),
      namespaces: { a: 'active', far: 'out-of-scope' },
    }),
    stage: { is: 'still-held', listedBy: [], orphans: [], outOfScope: ['far'] },
  },
  {
    name: 'LCA-16 a canonical Secret that does not hold together is invalid',
    observed: anObserved({ canonical: aSecret('system', { key: unsound }) }),
    stage: { is: 'invalid', secret, fault: unsound.known.fault },
  },
  {
    name: 'LCA-16 a canonical Secret that is nobody’s is invalid',
    observed: anObserved({ canonical: aSecret('system', { metadata: bare }) }),
    stage: { is: 'invalid', secret, fault: 'it is not labelled as this agent’s' },
  },
  {
    name: 'LCA-16 a canonical Secret with another key than the status names is invalid',
    observed: anObserved({ agent: anAgent({ status: { keyID: '00' } }), canonical }),
    stage: { is: 'invalid', secret, fault: `it holds key ${keyID}, but this agent’s key is 00` },
  },
  {
    name: 'LCA-16 a canonical Secret with another key than its own mark names is invalid',
    observed: anObserved({ canonical: aSecret('system', { metadata: { annotations: { [keyIdAnnotation]: '00' } } }) }),
    stage: { is: 'invalid', secret, fault: `it holds key ${keyID}, but is marked with 00` },
  },
  {
    name: 'LCA-5 a canonical Secret with the key named in the status is the key',
    observed: anObserved({ agent: anAgent({ status: { keyID } }), canonical }),
    stage: { is: 'established', current: { secret: canonical }, keys: { course: { moves: [], waits: [] } } },
  },
])('$name', ({ observed, stage }) => {
  expect(stageOf(observed)).toMatchObject(stage)
})

test.for([
  { name: 'has our label and a key that holds together', secret: replica, ours: true },
  {
    name: 'was written by us, whatever became of it',
    secret: aSecret('a', { metadata: written, key: unsound }),
    ours: true,
  },
  { name: 'has our label and no key', secret: aSecret('a', { key: unsound }), ours: false },
  { name: 'has our label and cannot be read', secret: aSecret('a', { key: unread }), ours: false },
  { name: 'has a key and no label', secret: aSecret('a', { metadata: bare }), ours: false },
  {
    name: 'has a key and another agent’s label',
    secret: aSecret('a', { metadata: { labels: { [agentNames.label]: 'auditor' } } }),
    ours: false,
  },
])('LCA-9 whether a Secret that $name is ours', ({ secret, ours }) => {
  expect(isOurs(secret, 'biller')).toBe(ours)
})
