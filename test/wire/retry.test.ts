import { expect, test } from 'vitest'
import type { CallFault } from './faulty-port.ts'
import { seconds } from '../../src/pure/duration.ts'
import { listed, textsOf, WatchedServer } from './watched-server.ts'

const throttled = { status: 429, retryAfter: 7, body: '' }
const refusals = new Array<CallFault>(12).fill('500')

/** The pauses of an informer whose server fails a dozen times. */
const pausesOf = async (): Promise<readonly number[]> => {
  using setting = new WatchedServer()
  setting.put('n')
  setting.port.arm(...refusals)
  const observed = await setting.observe()
  const pauses: number[] = []
  while (pauses.length < refusals.length) pauses.push(await setting.passPause())
  expect(textsOf(observed)).toEqual({ n: 'x' })
  return pauses
}

test('the pauses between tries grow from 0.8 s to 30 s, and none is less than half of that', async () => {
  const pauses = await pausesOf()
  for (const [n, pause] of pauses.entries()) {
    const longest = Math.min(seconds(30), seconds(0.8) * 2 ** n)
    expect(pause).toBeLessThanOrEqual(longest)
    expect(pause).toBeGreaterThanOrEqual(longest / 2)
  }
})

test('no two informers come back at the same times', async () => {
  expect(await pausesOf()).not.toEqual(await pausesOf())
})

test('a change that was told makes the next failure the first', async () => {
  using setting = new WatchedServer()
  setting.port.arm(...refusals)
  await setting.observe()
  for (let n = 0; n < refusals.length; n += 1) await setting.passPause()
  setting.put('n')
  await setting.settle()
  setting.port.suffer('cut')
  await setting.settle()
  expect(setting.clock.untilNext).toBeLessThanOrEqual(seconds(0.8))
})

test('a server that breaks off before it has told everything is asked less and less often', async () => {
  using setting = new WatchedServer({ initialEvents: 'endless' })
  setting.put('n')
  const observed = await setting.observe()
  const pauses: number[] = []
  for (let n = 0; n < 8; n += 1) {
    setting.port.suffer(n % 2 === 0 ? 'cut' : 'end')
    await setting.settle()
    pauses.push(await setting.passPause())
  }
  expect(setting.asked).toHaveLength(9)
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(seconds(15))
  expect(observed.informer.isSynced).toBe(false)
})

test('a server that ends every watch at once is not dialled without a pause', async () => {
  using setting = new WatchedServer()
  await setting.observe()
  setting.port.arm({ status: 200, retryAfter: undefined, body: '' })
  setting.port.suffer('cut')
  await setting.settle()
  await setting.passPause()
  expect(setting.port.watches).toHaveLength(0)
  expect(setting.clock.untilNext).toBeLessThan(seconds(30))
})

test('a watch that is throttled comes back when the server said, and not before', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.port.arm(throttled)
  setting.port.suffer('end')
  setting.put('n')
  await setting.settle()
  await setting.pass(seconds(7))
  expect(textsOf(observed)).toEqual({})
  await setting.pass(seconds(0.8))
  expect(textsOf(observed)).toEqual({ n: 'x' })
})

test('a list that is throttled comes back when the server said, and not before', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  setting.port.arm(throttled)
  const observed = await setting.observe(listed)
  await setting.pass(seconds(7))
  expect(textsOf(observed)).toEqual({})
  await setting.pass(seconds(0.8))
  expect(textsOf(observed)).toEqual({ n: 'x' })
})

test('nobody makes us wait for longer than a minute and a pause of our own', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  setting.port.arm({ ...throttled, retryAfter: 86_400 })
  const observed = await setting.observe()
  await setting.pass(seconds(60.8))
  expect(textsOf(observed)).toEqual({ n: 'x' })
})

test.for(['null', '7', '[]', '{}', '<html>bad gateway</html>', '{"metadata":null}'])(
  'an answer to a list that is none (%s) says nothing, and it is asked for again',
  async (body) => {
    using setting = new WatchedServer()
    setting.put('n')
    setting.port.arm({ status: 200, retryAfter: undefined, body })
    const observed = await setting.observe(listed)
    expect(observed.informer.isSynced).toBe(false)
    await setting.passPause()
    expect(textsOf(observed)).toEqual({ n: 'x' })
  },
)

test('whatever goes wrong is told once, in a sentence', async () => {
  using setting = new WatchedServer()
  setting.port.arm('break', '500', '429')
  const { troubles } = await setting.observe()
  for (let n = 0; n < 3; n += 1) await setting.passPause()
  expect(troubles).toEqual([
    'ApiError: cannot watch ConfigMaps: the API server is not reachable (cut)',
    'ApiError: cannot watch ConfigMaps: the API server answered 500',
    'ApiError: cannot watch ConfigMaps: the API server answered 429',
  ])
})

test('an error among the events ends the watch, and the next goes on from the last version', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.put('n')
  setting.port.suffer('error 500')
  await setting.settle()
  setting.put('m')
  await setting.passPause()
  expect(setting.asked).toEqual(['watch all', 'watch from 101'])
  expect(textsOf(observed)).toEqual({ n: 'x', m: 'x' })
})

test('a version that the server no longer knows makes everything be taken in again', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  const observed = await setting.observe()
  setting.port.suffer('black hole')
  setting.delete('n')
  setting.put('m')
  setting.server.compact()
  setting.port.suffer('cut')
  await setting.settle()
  await setting.passPause()
  await setting.passPause()
  expect(setting.asked).toEqual(['watch all', 'watch from 101', 'watch all'])
  expect(observed.informer.syncs.get('expired')).toBe(1)
  expect(textsOf(observed)).toEqual({ m: 'x' })
})

test('the server may say so in an event of the stream', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  const observed = await setting.observe()
  setting.port.suffer('expired')
  await setting.settle()
  setting.put('m')
  await setting.passPause()
  expect(setting.asked).toEqual(['watch all', 'watch all'])
  expect(observed.informer.syncs.get('expired')).toBe(1)
  expect(textsOf(observed)).toEqual({ n: 'x', m: 'x' })
})

test('a list whose next page is no longer known begins anew', async () => {
  using setting = new WatchedServer()
  for (const name of ['n', 'm', 'o', 'p']) setting.put(name)
  setting.port.arm('passes', 'expired')
  const observed = await setting.observe(listed)
  expect(observed.changes).toEqual([])
  await setting.passPause()
  expect(setting.asked).toEqual(['list', 'next page', 'list', 'next page', 'watch from 104'])
  expect(textsOf(observed)).toEqual({ n: 'x', m: 'x', o: 'x', p: 'x' })
})

test('an informer outlives a week in which its server answers only with errors', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.port.suffer('cut')
  for (let n = 0; n < 1000; n += 1) {
    setting.port.arm('break')
    await setting.passPause()
  }
  setting.port.disarm()
  setting.put('n')
  await setting.passPause()
  await setting.passPause()
  expect(textsOf(observed)).toEqual({ n: 'x' })
})
