import { expect, test } from 'vitest'
import { Namespace, Secret, apiVersionOf } from './kind.ts'
import { minutes, seconds } from './duration.ts'
import { targetOf } from './effects.ts'
import { isTerminating, keyOf, preconditionOf, printKey } from './object.ts'
import { isSettled } from './plan.ts'
import { aSecret, anAgent } from '../../test/fixtures/agent.ts'

test.for([
  [{ namespace: 'a', name: 'b' }, 'a/b'],
  [{ name: 'b' }, 'b'],
] as const)('a key prints as people write it (%$)', ([key, text]) => {
  expect(printKey(key)).toBe(text)
})

test('an object is known by its key, and a version of it by uid and resourceVersion', () => {
  expect(keyOf(aSecret('a'))).toEqual({ namespace: 'a', name: 'ledger-biller-agent-keys' })
  expect(preconditionOf(aSecret('a'))).toEqual({ uid: 'uid-a', resourceVersion: '11' })
})

test('an object with a deletion time is going', () => {
  expect(isTerminating(anAgent())).toBe(false)
  expect(isTerminating(anAgent({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))).toBe(true)
})

test('the core group has no name in an apiVersion', () => {
  expect(apiVersionOf(Secret)).toBe('v1')
  expect(apiVersionOf({ ...Namespace, group: 'example.com' })).toBe('example.com/v1')
})

test('an hour is 3 600 000 milliseconds', () => {
  expect(minutes(60)).toBe(3_600_000)
  expect(seconds(3600)).toBe(minutes(60))
})

const object = { metadata: { namespace: 'a', name: 'n' } }
const key = { namespace: 'a', name: 'n' }
const on = { uid: 'u', resourceVersion: '1' }

test.for([
  { do: 'create', kind: Secret, object },
  { do: 'apply', kind: Secret, object, on },
  { do: 'mint', object, recipe: 'agent-key' },
  { do: 'mark', kind: Secret, key, on, set: {} },
  { do: 'delete', kind: Secret, key, uid: 'u' },
] as const)('the target of a $do is the object that it writes', (effect) => {
  expect(targetOf(effect)).toEqual(key)
})

test('a plan is settled when none of its steps has anything to do', () => {
  expect(isSettled({ stage: 'any', steps: [[], []], lookAgain: 'on-change' })).toBe(true)
  expect(
    isSettled({ stage: 'any', steps: [[], [{ do: 'delete', kind: Secret, key, uid: 'u' }]], lookAgain: 'on-change' }),
  ).toBe(false)
})
