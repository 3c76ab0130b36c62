import { expect, test } from 'vitest'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { milliseconds, minutes, seconds } from '../pure/duration.ts'
import { type Lane, Queue } from './queue.ts'

const never = new AbortController().signal

const aQueue = () => {
  const clock = new TurnedClock()
  const queue = new Queue(clock)
  const taken: (string | undefined)[] = []
  /** A worker that takes one key. */
  const take = async () => {
    const key = await queue.take(never)
    taken.push(key)
    return key
  }
  return { clock, queue, taken, take }
}

test('a key that is added twice is worked on once', async () => {
  const { queue, take } = aQueue()
  queue.add('a')
  queue.add('a', 'relist')
  queue.add('b')
  expect([await take(), await take()]).toEqual(['a', 'b'])
  queue.done('a')
  queue.done('b')
  expect(queue.isEmpty).toBe(true)
})

test('a worker that waits gets the next key', async () => {
  const { queue, take } = aQueue()
  const waiting = take()
  queue.add('a')
  expect(await waiting).toBe('a')
})

test('a key is never at work twice: what is added meanwhile comes after', async () => {
  const { queue, take, taken } = aQueue()
  queue.add('a')
  await take()
  queue.add('a')
  queue.add('a')
  const waiting = take()
  await Promise.resolve()
  expect(taken).toEqual(['a'])
  queue.done('a')
  await waiting
  expect(taken).toEqual(['a', 'a'])
  queue.done('a')
  expect(queue.isEmpty).toBe(true)
})

test('a queue is not empty while a key is at work or waits', async () => {
  const { queue, take } = aQueue()
  expect(queue.isEmpty).toBe(true)
  queue.add('a')
  expect(queue.isEmpty).toBe(false)
  await take()
  expect(queue.isEmpty).toBe(false)
  queue.done('a')
  expect(queue.isEmpty).toBe(true)
  queue.add('b', 'relist')
  expect(queue.isEmpty).toBe(false)
})

test('changes come before relists', async () => {
  const { queue, take } = aQueue()
  queue.add('relisted', 'relist')
  queue.add('changed')
  expect([await take(), await take()]).toEqual(['changed', 'relisted'])
})

test('a key that changes while it waits for a relist moves up', async () => {
  const { queue, take } = aQueue()
  for (const key of ['a', 'b', 'c']) queue.add(key, 'relist')
  queue.add('c')
  expect([await take(), await take(), await take()]).toEqual(['c', 'a', 'b'])
})

test('a steady stream of changes does not starve a relist', async () => {
  const { queue, take } = aQueue()
  queue.add('relisted', 'relist')
  const order: (string | undefined)[] = []
  for (let n = 0; n < 6; n += 1) {
    queue.add(`changed-${n}`)
    order.push(await take())
  }
  expect(order).toContain('relisted')
})

test.for<{ name: string; lanes: readonly Lane[]; expected: readonly string[] }>([
  { name: 'a change', lanes: ['relist', 'change'], expected: ['a', 'other'] },
  { name: 'a change although a relist came after', lanes: ['change', 'relist'], expected: ['a', 'other'] },
  { name: 'a relist', lanes: ['relist'], expected: ['other', 'a'] },
])('what was added while its key was at work comes back as $name', async ({ lanes, expected }) => {
  const { queue, take } = aQueue()
  queue.add('a')
  await take()
  for (const lane of lanes) queue.add('a', lane)
  queue.done('a')
  const first = lanes.includes('change') ? 'relist' : 'change'
  queue.add('other', first)
  expect([await take(), await take()]).toEqual(expected)
})

test('a key comes up after its time, and no earlier', async () => {
  const { queue, take, taken, clock } = aQueue()
  void take()
  queue.addAfter('a', seconds(10))
  clock.turn(milliseconds(9_999))
  await Promise.resolve()
  expect(taken).toEqual([])
  expect(queue.isEmpty).toBe(true)
  clock.turn(milliseconds(1))
  await Promise.resolve()
  expect(taken).toEqual(['a'])
})

test.for([
  { name: 'the earlier one comes first', wishes: [5, 10] },
  { name: 'the earlier one comes last', wishes: [10, 5] },
])('of several wishes the earliest counts, and only that ($name)', async ({ wishes }) => {
  const { queue, take, taken, clock } = aQueue()
  for (const wish of wishes) queue.addAfter('a', seconds(wish))
  void take()
  clock.turn(seconds(5))
  await Promise.resolve()
  expect(taken).toEqual(['a'])
  queue.done('a')
  expect(clock.untilNext).toBeUndefined()
})

/** How long a key waits after its nth failure in a row, at most over many tries. */
const longestPauseAfter = (failures: number): number => {
  const pauses = Array.from({ length: 200 }, () => {
    const { queue, clock } = aQueue()
    for (let n = 1; n < failures; n += 1) {
      queue.retry('a')
      clock.turn(minutes(5))
      queue.done('a')
    }
    queue.retry('a')
    return clock.untilNext ?? Number.NaN
  })
  return Math.max(...pauses)
}

test('the pause grows with each failure in a row, up to five minutes', () => {
  expect(longestPauseAfter(1)).toBeLessThanOrEqual(5)
  const fourth = longestPauseAfter(4)
  expect(fourth).toBeGreaterThan(20)
  expect(fourth).toBeLessThanOrEqual(40)
  const fiftieth = longestPauseAfter(50)
  expect(fiftieth).toBeGreaterThan(minutes(2.5))
  expect(fiftieth).toBeLessThanOrEqual(minutes(5))
})

test('a pause is at least as long as the server asked for', () => {
  const { queue, clock } = aQueue()
  queue.retry('a', seconds(7))
  expect(clock.untilNext).toBeGreaterThanOrEqual(seconds(7))
  expect(clock.untilNext).toBeLessThanOrEqual(seconds(7) + 5)
})

const failTwentyTimes = ({ queue, clock }: Pick<ReturnType<typeof aQueue>, 'queue' | 'clock'>): void => {
  for (let n = 0; n < 20; n += 1) {
    queue.retry('a')
    clock.turn(minutes(5))
  }
}

test('after a pass that went well the next failure is the first', () => {
  const { queue, clock } = aQueue()
  failTwentyTimes({ queue, clock })
  queue.forgive('a')
  queue.retry('a')
  expect(clock.untilNext).toBeLessThanOrEqual(5)
})

test('one key’s failures are not another’s', () => {
  const { queue, clock } = aQueue()
  failTwentyTimes({ queue, clock })
  queue.retry('b')
  expect(clock.untilNext).toBeLessThanOrEqual(5)
})

test('a closed queue sends all workers home and takes nothing on', async () => {
  const { queue, take, clock } = aQueue()
  const waiting = take()
  queue.addAfter('later', seconds(1))
  queue.close()
  expect(await waiting).toBeUndefined()
  expect(clock.untilNext).toBeUndefined()
  queue.add('a')
  queue.addAfter('b', seconds(1))
  queue.retry('c')
  expect(clock.untilNext).toBeUndefined()
  expect(await take()).toBeUndefined()
  expect(queue.isEmpty).toBe(true)
})

test('a worker that is called off takes nothing, and the key goes to another', async () => {
  const { queue, take } = aQueue()
  const stop = new AbortController()
  const calledOff = queue.take(stop.signal)
  stop.abort()
  queue.add('a')
  expect(await calledOff).toBeUndefined()
  expect(await queue.take(stop.signal)).toBeUndefined()
  expect(await take()).toBe('a')
})

test('how many wait, and how long the oldest has, can be seen', () => {
  const { clock, queue } = aQueue()
  expect(queue.longestWait).toBe(0)
  queue.add('a', 'relist')
  clock.turn(seconds(3))
  queue.add('b')
  // It waits in the other lane now, but no less long.
  queue.add('a')
  clock.turn(seconds(1))
  expect(queue.depth('relist')).toBe(0)
  expect(queue.depth('change')).toBe(2)
  expect(queue.longestWait).toBe(seconds(4))
})
