import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/pure/duration.ts'
import type { Thing } from './object-server.ts'
import { textsOf, WatchedServer } from './watched-server.ts'

test('a watch asks for bookmarks, and goes on from the last one', async () => {
  using setting = new WatchedServer()
  const { informer } = await setting.observe()
  for (let n = 0; n < 5; n += 1) setting.server.tick()
  setting.port.bookmark()
  await setting.settle()
  expect(informer.store.version).toBe('105')
  setting.port.suffer('end')
  await setting.settle()
  expect(setting.asked).toEqual(['watch all', 'watch from 105'])
  expect(setting.port.requests.map(({ query }) => query['allowWatchBookmarks'])).toEqual(['true', 'true'])
})

test('a healthy stream is never cut: an hour with a bookmark a minute is one dial', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  for (let minute = 0; minute < 60; minute += 1) {
    await setting.pass(minutes(1))
    setting.port.bookmark()
    await setting.settle()
  }
  setting.put('n')
  await setting.settle()
  expect(setting.asked).toEqual(['watch all'])
  expect(observed.troubles).toEqual([])
  expect(textsOf(observed)).toEqual({ n: 'x' })
})

test('a stream that is silent for 70 s is dialled anew from the last version', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  const observed = await setting.observe()
  setting.port.suffer('black hole')
  setting.put('m')
  await setting.pass(seconds(69))
  expect(setting.port.watches).toHaveLength(1)
  await setting.pass(seconds(2))
  expect(setting.port.watches).toHaveLength(0)
  await setting.passPause()
  expect(setting.asked.filter((asked) => asked.startsWith('watch'))).toEqual(['watch all', 'watch from 101'])
  expect(textsOf(observed)).toEqual({ n: 'x', m: 'x' })
  expect(observed.informer.syncs).toEqual(new Map([['start', 1]]))
})

test('how long the server has been silent is known', async () => {
  using setting = new WatchedServer()
  const { informer } = await setting.observe()
  await setting.pass(seconds(40))
  expect(informer.silence).toBe(seconds(40))
  setting.port.bookmark()
  await setting.settle()
  expect(informer.silence).toBe(0)
})

test('a dial that is never answered is given up after 70 s', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.port.arm('no answer')
  setting.port.suffer('end')
  setting.put('n')
  await setting.settle()
  await setting.pass(seconds(69))
  expect(textsOf(observed)).toEqual({})
  await setting.pass(seconds(2))
  await setting.passPause()
  expect(textsOf(observed)).toEqual({ n: 'x' })
  expect(observed.troubles).toEqual([
    'ApiError: cannot watch ConfigMaps: the API server is not reachable (it fell silent)',
  ])
})

test.for([
  { what: 'a page of some proxy', line: '<html>bad gateway</html>\n' },
  { what: 'null', line: 'null\n' },
  { what: 'an empty line', line: '\n' },
  { what: 'an event without an object', line: '{"type":"ADDED"}\n' },
  { what: 'an event of no known type', line: '{"type":"HELLO","object":{"metadata":{"resourceVersion":"7"}}}\n' },
  { what: 'an error without a status', line: '{"type":"ERROR","object":null}\n' },
  { what: 'a number', line: '7\n' },
])('$what in place of an event makes everything be taken in again', async ({ line }) => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  const [watch] = setting.port.watches
  setting.server.onChange(() => watch?.suffer('cut'))
  watch?.send(line)
  await setting.settle()
  setting.put('n')
  await setting.passPause()
  expect(setting.asked).toEqual(['watch all', 'watch all'])
  expect(observed.informer.syncs.get('junk')).toBe(1)
  expect(observed.troubles).toEqual(['ApiError: cannot watch ConfigMaps: a line was no event'])
  expect(textsOf(observed)).toEqual({ n: 'x' })
})

test('a line that is cut off by the end of the stream is told again by the next', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.port.suffer('half a line')
  setting.put('n')
  await setting.settle()
  expect(setting.asked).toEqual(['watch all', 'watch from 100'])
  expect(textsOf(observed)).toEqual({ n: 'x' })
})

test('a line of a mebibyte is a line', async () => {
  using setting = new WatchedServer()
  const text = 'ä€😀'.repeat(2 ** 20 / 9)
  const isWhole = ({ data }: Thing) => String(data['text'] === text)
  const observed = await setting.observe({ project: (thing) => ({ ...thing, data: { text: isWhole(thing) } }) })
  setting.put('n', text)
  await setting.settle()
  expect(textsOf(observed)['n']).toBe('true')
})

test('a character that is cut by a chunk’s end is whole again', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  const metadata = { namespace: 'a', name: 'n', uid: 'uid-n', resourceVersion: '101', labels: {} }
  const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata, data: { text: 'ä€😀' } } })}\n`)
  setting.port.watches[0]?.send(...[...line].map((byte) => Uint8Array.of(byte)))
  await setting.settle()
  expect(textsOf(observed)).toEqual({ n: 'ä€😀' })
})

test('what is told twice, or late, changes nothing', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.put('n', 'old')
  setting.put('n', 'new')
  setting.port.suffer('the last again')
  for (let times = 0; times < 5; times += 1) setting.port.suffer('an old one again')
  await setting.settle()
  expect(observed.changes).toEqual(['- → n@101', 'n@101 → n@102'])
  expect(textsOf(observed)).toEqual({ n: 'new' })
})

test('an object’s changes are told in their order', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.put('n')
  setting.put('m')
  setting.put('n')
  setting.delete('n')
  setting.put('n')
  await setting.settle()
  expect(observed.changes).toEqual(['- → n@101', '- → m@102', 'n@101 → n@103', 'n@103 → -', '- → n@105'])
})

test('an object that no longer is selected leaves, and comes back when it is', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  const observed = await setting.observe()
  setting.server.put({ namespace: 'a', name: 'n' }, {}, {})
  setting.put('n')
  await setting.settle()
  expect(observed.changes).toEqual(['- → n@101', 'n@101 → -', '- → n@103'])
})

test('bookmarks keep the version of a quiet kind young: that the server forgets older ones costs nothing', async () => {
  using setting = new WatchedServer()
  const { informer } = await setting.observe()
  setting.server.tick()
  setting.port.bookmark()
  await setting.settle()
  setting.server.compact()
  setting.port.suffer('end')
  await setting.settle()
  expect(setting.port.watches).toHaveLength(1)
  expect(informer.syncs).toEqual(new Map([['start', 1]]))
})
