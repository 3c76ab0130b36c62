import { expect, test } from 'vitest'
import { anEstablished, anObserved, aSecret, aTarget as target } from '../../../test/fixtures/agent.ts'
import type { Stage } from './stage.ts'
import type { TargetStage } from './target-stage.ts'
import { verdictOf as verdict } from './verdict.ts'

const established = anEstablished()
const { key } = established.current
const canonical = 'Secret system/ledger-biller-agent-canonical'
const verdictOf = (stage: Stage, targets: readonly TargetStage[] = []) => verdict(anObserved(), stage, targets)

test.for<{ name: string; stage: Stage; phase: string; reason: string; message: string }>([
  {
    name: 'LCA-17 what could not be read is named',
    stage: { is: 'in-doubt', cause: 'cannot list Secrets: the API server answered 500' },
    phase: 'Error',
    reason: 'SecretUnreadable',
    message: 'cannot list Secrets: the API server answered 500',
  },
  {
    name: 'LCA-21 the Secrets that an agent waits for are named',
    stage: {
      is: 'withdrawing',
      copies: [aSecret('a')],
      awaited: [],
      generations: [aSecret('system')],
      mayGoThen: true,
    },
    phase: 'Pending',
    reason: 'Deleting',
    message: 'waiting for Secrets to go: a/ledger-biller-agent-keys, system/ledger-biller-agent-canonical',
  },
  {
    name: 'LCA-21 of many Secrets that an agent waits for the first five are named',
    stage: {
      is: 'withdrawing',
      copies: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((namespace) => aSecret(namespace)),
      awaited: [],
      generations: [],
      mayGoThen: true,
    },
    phase: 'Pending',
    reason: 'Deleting',
    message: `waiting for Secrets to go: ${['a', 'b', 'c', 'd', 'e'].map((namespace) => `${namespace}/ledger-biller-agent-keys`).join(', ')} and 2 more`,
  },
  {
    name: 'LCA-15 a lost key is named',
    stage: { is: 'lost', keyId: 'abc', listedBy: [] },
    phase: 'Error',
    reason: 'CanonicalLost',
    message:
      'the Secret with key abc is gone from the operator’s namespace, and no copy of it remains; restore it from a backup, or give the key up and get a new one: kubectl annotate --overwrite ledgerclusteragent biller holdfast.dev/revoke=abc',
  },
  {
    name: 'LCA-15 a lost key that nobody can name is said to be so',
    stage: { is: 'lost', keyId: undefined, listedBy: [] },
    phase: 'Error',
    reason: 'CanonicalLost',
    message: `a key of this agent is gone from the operator’s namespace (the first is in ${canonical}), and nothing says which it was; restore its Secret from a backup, or name a replica that holds it: kubectl annotate --overwrite ledgerclusteragent biller holdfast.dev/adopt=NAMESPACE/SECRET@KEY_ID`,
  },
  {
    name: 'LCA-15 the services that still accept a lost key are named',
    stage: { is: 'lost', keyId: 'abc', listedBy: [{ namespace: 'a', name: 'books' }] },
    phase: 'Error',
    reason: 'CanonicalLost',
    message: `${canonical} is not there, no copy remains, and key abc of this agent is in the list of a/books; restore the Secret from a backup, or take a false entry out of the list`,
  },
  {
    name: 'LCA-49 the services that still list the key of a deleted agent are named',
    stage: { is: 'still-held', listedBy: [{ namespace: 'a', name: 'books' }], orphans: [], outOfScope: [] },
    phase: 'Pending',
    reason: 'Deleting',
    message: 'waiting for services to drop its key: a/books',
  },
  {
    name: 'LCA-50 the namespaces that a deleted agent waits for are named',
    stage: { is: 'still-held', listedBy: [], orphans: [], outOfScope: ['far'] },
    phase: 'Pending',
    reason: 'OutOfScope',
    message:
      'copies may be left where this operator does not look: far; let it watch these namespaces, or delete the copies and take the finalizer off by hand',
  },
  {
    name: 'LCA-42 copies that differ are named, and how to choose one',
    stage: {
      is: 'ambiguous',
      copies: [
        { secret: aSecret('a'), key },
        { secret: aSecret('b'), key },
      ],
    },
    phase: 'Error',
    reason: 'AdoptionAmbiguous',
    message: `copies of different keys, and nothing says which is this agent’s: a/ledger-biller-agent-keys (key ${key.keyId}), b/ledger-biller-agent-keys (key ${key.keyId}); to take it for the agent’s: kubectl annotate --overwrite ledgerclusteragent biller holdfast.dev/adopt=NAMESPACE/SECRET@KEY_ID`,
  },
  {
    name: 'LCA-43 a key that nobody has vouched for is named, and how to adopt it',
    stage: { is: 'awaiting-consent', copies: [{ secret: aSecret('a'), key }] },
    phase: 'Error',
    reason: 'AdoptionNeedsConsent',
    message: `a key that nobody has vouched for is where this agent’s would go: a/ledger-biller-agent-keys (key ${key.keyId}); delete it, or, to take it for the agent’s: kubectl annotate --overwrite ledgerclusteragent biller holdfast.dev/adopt=a/ledger-biller-agent-keys@${key.keyId}`,
  },
  {
    name: 'LCA-44 why a Secret cannot be adopted is said',
    stage: { is: 'unadoptable', named: 'a/x', fault: 'there is none' },
    phase: 'Error',
    reason: 'AdoptionImpossible',
    message: 'the annotation holdfast.dev/adopt names a/x: there is none',
  },
  {
    name: 'LCA-16 what is wrong with the canonical Secret is said',
    stage: { is: 'invalid', secret: 'system/ledger-biller-agent-canonical', fault: 'seed.hex is missing or empty' },
    phase: 'Error',
    reason: 'CanonicalInvalid',
    message: `${canonical} cannot be used: seed.hex is missing or empty; nothing is changed until it is put right`,
  },
  {
    name: 'LCA-1 an agent that nobody asks is pending',
    stage: { is: 'unneeded' },
    phase: 'Pending',
    reason: 'NoTargets',
    message: 'no namespace asks for the key',
  },
  {
    name: 'LCA-21 an agent whose last copy is gone is still being deleted',
    stage: { is: 'withdrawn' },
    phase: 'Pending',
    reason: 'Deleting',
    message: 'every copy of the key is gone',
  },
  ...(['unmarked', 'unminted'] as const).map((is) => ({
    name: `LCA-24 an agent that is ${is} is not ready`,
    stage: { is },
    phase: 'Pending',
    reason: 'Distributing',
    message: 'the key is on its way to 2 namespaces',
  })),
])('$name', ({ stage, phase, reason, message }) => {
  expect(verdictOf(stage)).toEqual({ phase, reason, message })
})

test('LCA-24 an agent is ready when every namespace is served', () => {
  expect(verdictOf(established, [target('a', 'served'), target('b', 'served')])).toEqual({
    phase: 'Ready',
    reason: 'KeyPairReady',
    message: 'the key is in 2 of 2 namespaces',
  })
})

test('LCA-12 an agent with a key and no namespace is not ready', () => {
  expect(verdictOf(established)).toMatchObject({ phase: 'Pending', reason: 'NoTargets' })
})

test.for([
  { reason: 'ForeignSecret', is: 'foreign', text: 'a Secret of that name is not ours: b', phase: 'Error' },
  { reason: 'SecretUnreadable', is: 'unreadable', text: 'the Secret could not be read: b (x)', phase: 'Error' },
  { reason: 'NamespaceTerminating', is: 'terminating', text: 'the namespace is being deleted: b', phase: 'Pending' },
  { reason: 'NamespaceMissing', is: 'missing', text: 'the namespace does not exist: b', phase: 'Pending' },
  { reason: 'Distributing', is: 'due', text: 'the key is on its way: b', phase: 'Pending' },
] as const)('LCA-24 one namespace that is $is keeps an agent from being ready', ({ is, phase, reason, text }) => {
  expect(verdictOf(established, [target('a', 'served'), target('b', is)])).toEqual({
    phase,
    reason,
    message: `the key is in 1 of 2 namespaces; ${text}`,
  })
})

test('LCA-9 the worst obstacle gives the reason, and the message names them all', () => {
  const targets = [target('a', 'missing'), target('b', 'foreign'), target('c', 'missing')]
  expect(verdictOf(established, targets)).toMatchObject({
    reason: 'ForeignSecret',
    message:
      'the key is in 0 of 3 namespaces; a Secret of that name is not ours: b; the namespace does not exist: a, c',
  })
})

test('LCA-19 an agent that is claimed elsewhere would not be called ready', () => {
  expect(verdictOf({ is: 'claimed-elsewhere', by: 'other' })).toMatchObject({ reason: 'Distributing' })
})
