import { expect, test } from 'vitest'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { minutes, seconds } from '../pure/duration.ts'
import { Queue } from './queue.ts'

const never = new AbortController().signal

test('a queue that is suspended takes nothing in, and forgets what waited and what was to come', async () => {
  const clock = new TurnedClock()
  const queue = new Queue(clock)
  queue.add('waiting')
  queue.add('again', 'relist')
  queue.addAfter('later', seconds(5))
  queue.retry('failed')
  queue.suspend()
  queue.add('change')
  queue.addAfter('soon', seconds(1))
  queue.retry('failed')
  clock.turn(minutes(10))
  expect(queue.isEmpty).toBe(true)
  expect([queue.depth('change'), queue.depth('relist')]).toEqual([0, 0])
  expect(queue.longestWait).toBe(0)
  expect(clock.untilNext).toBeUndefined()
  expect(queue.failuresOf('failed')).toBe(0)

  const next = queue.take(never)
  queue.resume()
  clock.turn(minutes(10))
  queue.add('new')
  expect(await next).toBe('new')
})

test('a key at work when the queue is suspended is not worked on again, whatever was added meanwhile', async () => {
  const queue = new Queue(new TurnedClock())
  queue.add('a')
  await queue.take(never)
  queue.add('a')
  queue.suspend()
  queue.done('a')
  queue.resume()
  expect(queue.isEmpty).toBe(true)
})
