import { expect, test } from 'vitest'
import { type Condition, conditionsOf } from './conditions.ts'

const wish = {
  type: 'Ready',
  status: 'True',
  reason: 'KeyPairReady',
  message: 'the key is in 2 of 2 namespaces',
} as const
const before: Condition = { ...wish, observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' }
const at = { generation: 2, now: '2026-02-02T00:00:00Z' }

test.for([
  { name: 'a new condition begins now', previous: [], time: at.now },
  { name: 'a condition that stays as it was keeps its time', previous: [before], time: before.lastTransitionTime },
  {
    name: 'a condition with another reason for the same status keeps its time',
    previous: [{ ...before, reason: 'Other' }],
    time: before.lastTransitionTime,
  },
  {
    name: 'a condition whose status changed begins now',
    previous: [{ ...before, status: 'False' } as const],
    time: at.now,
  },
  {
    name: 'another condition’s time is not borrowed',
    previous: [{ ...before, type: 'SelectorResolved' }],
    time: at.now,
  },
])('LCA-23 $name', ({ previous, time }) => {
  expect(conditionsOf([wish], previous, at)).toEqual([{ ...wish, observedGeneration: 2, lastTransitionTime: time }])
})

test('LCA-23 conditions that nobody wishes for any more are dropped', () => {
  expect(conditionsOf([], [before], at)).toEqual([])
})
