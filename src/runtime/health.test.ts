import { expect, expectTypeOf, test } from 'vitest'
import { aPulse, aWatch } from '../../test/kit/pulse.ts'
import { seconds } from '../pure/duration.ts'
import { Namespace, Secret } from '../pure/kind.ts'
import { healthOf } from './health.ts'
import type { Operator } from './operator.ts'
import type { Pulse } from './pulse.ts'

const forever = new Promise<Error>(() => undefined)
const obstaclesOf = (pulse: Partial<Pulse>) => healthOf({ ...aPulse(pulse), collapsed: forever }).obstacles()

test('an operator has a pulse and a health', () => {
  expectTypeOf<Operator>().toExtend<Parameters<typeof healthOf>[0]>()
})

test.for([{ isLeading: true }, { isLeading: false }])(
  'a process that sees everything is ready, with isLeading $isLeading',
  ({ isLeading }) => {
    const informers = [aWatch(Secret, { silence: seconds(150) }), aWatch(Namespace)]
    expect(obstaclesOf({ isLeading, informers })).toEqual([])
  },
)

test.for([{ isLeading: true }, { isLeading: false }])(
  'each kind that is not in view is named with the reason, with isLeading $isLeading',
  ({ isLeading }) => {
    const informers = [
      aWatch(Namespace, { isSynced: false }),
      aWatch(Secret, { namespace: 'system', silence: seconds(151) }),
      aWatch(Secret, { namespace: 'a' }),
    ]
    expect(obstaclesOf({ isLeading, informers })).toEqual([
      'Namespace: not everything is in view yet',
      'Secret in namespace system: the API server has said nothing for 151 s; see the log for what it answers',
    ])
  },
)

test('objects that are watched one by one are named once, and not where they are', () => {
  const informers = ['a', 'b', 'c'].map((namespace) =>
    aWatch(Secret, { namespace, choice: { name: 'x' }, isSynced: false }),
  )
  expect(obstaclesOf({ informers })).toEqual(['Secret: not everything is in view yet'])
})

test('what has collapsed says why, in one line', async () => {
  const collapse = Promise.withResolvers<Error>()
  const { collapse: reason } = healthOf({ ...aPulse(), collapsed: collapse.promise })
  expect(reason()).toBeUndefined()
  collapse.resolve(new Error('the operator cannot go on: a watch ended\n    at file.ts:3'))
  await collapse.promise
  expect(reason()).toBe('the operator cannot go on: a watch ended')
})
