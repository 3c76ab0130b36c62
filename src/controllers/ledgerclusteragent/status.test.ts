import { expect, test } from 'vitest'
import { aKey, anAgent, anObserved, aSecret, keyIdOf } from '../../../test/fixtures/agent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import type { SoundKey, Stage } from './stage.ts'
import { statusOf } from './status.ts'
import type { TargetStage } from './target-stage.ts'

const key = digestAgentKey(aKey()) as SoundKey
const established: Stage = { is: 'established', canonical: aSecret('system'), key }
const canonical = 'Secret system/ledger-biller-agent-canonical'

const target = (namespace: string, is: TargetStage['is']): TargetStage => {
  if (is === 'unreadable') return { namespace, is, cause: 'x' }
  return is === 'due' ? { namespace, is, effects: [] } : { namespace, is }
}

const verdictOf = (stage: Stage, targets: readonly TargetStage[] = []) => {
  const { fields, ready } = statusOf(anObserved(), stage, targets)
  return { phase: fields['phase'], reason: ready.reason, message: ready.message, status: ready.status }
}

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
    stage: { is: 'withdrawing', replicas: [aSecret('a')], canonical: aSecret('system') },
    phase: 'Pending',
    reason: 'Deleting',
    message: 'waiting for Secrets to go: a/ledger-biller-agent-keys, system/ledger-biller-agent-canonical',
  },
  {
    name: 'LCA-21 of many Secrets that an agent waits for the first five are named',
    stage: {
      is: 'withdrawing',
      replicas: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((namespace) => aSecret(namespace)),
      canonical: undefined,
    },
    phase: 'Pending',
    reason: 'Deleting',
    message: `waiting for Secrets to go: ${['a', 'b', 'c', 'd', 'e'].map((namespace) => `${namespace}/ledger-biller-agent-keys`).join(', ')} and 2 more`,
  },
  {
    name: 'LCA-15 a lost key is named',
    stage: { is: 'lost', keyId: 'abc', source: undefined },
    phase: 'Error',
    reason: 'CanonicalLost',
    message: `${canonical} is gone, and no copy of key abc remains; restore it from a backup`,
  },
  {
    name: 'LCA-15 a lost key that nobody can name is said to be so',
    stage: { is: 'lost', keyId: undefined, source: undefined },
    phase: 'Error',
    reason: 'CanonicalLost',
    message: `${canonical} is gone, and nothing says which of the copies that remain is the agent’s key; restore it from a backup`,
  },
  {
    name: 'LCA-16 what is wrong with the canonical Secret is said',
    stage: { is: 'invalid', fault: 'seed.hex is missing or empty' },
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
  expect(verdictOf(stage)).toEqual({ phase, reason, message, status: 'False' })
})

test('LCA-24 an agent is ready when every namespace is served', () => {
  expect(verdictOf(established, [target('a', 'served'), target('b', 'served')])).toEqual({
    phase: 'Ready',
    reason: 'KeyPairReady',
    message: 'the key is in 2 of 2 namespaces',
    status: 'True',
  })
})

test('LCA-12 an agent with a key and no namespace is not ready', () => {
  expect(verdictOf(established)).toMatchObject({ phase: 'Pending', reason: 'NoTargets', status: 'False' })
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
    status: 'False',
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

const status = { keyID: 'abc', distributedSecretRefs: [{ namespace: 'a', name: 'ledger-biller-agent-keys' }] }

test.for<{ name: string; stage: Stage; targets?: readonly TargetStage[]; keyID: string; refs: unknown }>([
  {
    name: 'the key in use and the Secrets that hold it',
    stage: established,
    targets: [target('a', 'served'), target('b', 'missing'), target('c', 'served')],
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
])('LCA-23 the status names $name', ({ stage, targets = [], keyID, refs }) => {
  const { fields } = statusOf(anObserved({ agent: anAgent({ status }) }), stage, targets)
  expect(fields).toMatchObject({ keyID, distributedSecretRefs: refs })
})

test('LCA-26 every status says that the selector is not evaluated', () => {
  const { others } = statusOf(anObserved(), established, [])
  expect(others).toMatchObject([{ type: 'SelectorResolved', status: 'Unknown', reason: 'ServicesNotWatched' }])
})

test('LCA-29 a status that tells of a failure says Error', () => {
  expect(statusOf(anObserved(), established, []).fieldsWhenFailed).toEqual({ phase: 'Error' })
})

test('LCA-19 an agent that is claimed elsewhere would not be called ready', () => {
  expect(verdictOf({ is: 'claimed-elsewhere', by: 'other' })).toMatchObject({ status: 'False' })
})
