import { expect, test } from 'vitest'
import type { Effect } from '../pure/effects.ts'
import { Secret } from '../pure/kind.ts'
import { noticesOf } from './tell.ts'

const creation = (name: string, event: string): Effect => ({
  do: 'create',
  kind: Secret,
  object: { metadata: { namespace: 'a', name } },
  event,
})
const transition = { type: 'Normal', reason: 'KeyPairReady', note: 'the key is in 1 of 1 namespaces' } as const

test('LCA-34 LCA-52 a change of Ready is one event, which also reports what was done on the way', () => {
  const done = [creation('one', 'Restored'), creation('two', 'Distributed'), creation('three', 'Distributed')]
  expect(noticesOf(done, transition)).toEqual([
    {
      ...transition,
      note: 'the key is in 1 of 1 namespaces; created Secret a/one; created Secret a/two, a/three',
    },
  ])
})

test('LCA-52 without a change of Ready, what was done for the same reason is one event', () => {
  const done = [creation('one', 'Restored'), creation('two', 'Distributed'), creation('three', 'Distributed')]
  expect(noticesOf(done, undefined)).toEqual([
    { type: 'Normal', reason: 'Restored', note: 'created Secret a/one' },
    { type: 'Normal', reason: 'Distributed', note: 'created Secret a/two, a/three' },
  ])
})

test('LCA-52 what has no reason for an event is not reported', () => {
  const { event: _, ...silent } = creation('one', '') as Effect & { do: 'create' }
  expect(noticesOf([silent], undefined)).toEqual([])
})
