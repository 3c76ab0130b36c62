import { expect, test } from 'vitest'
import type { KubeObject } from '../../src/pure/object.ts'
import { minutes, seconds } from '../../src/pure/duration.ts'
import type { Thing } from './object-server.ts'
import { listed, textsOf, WatchedServer } from './watched-server.ts'

/** Everything has to be taken in anew; meanwhile, something happens. */
const missing = async (setting: WatchedServer, meanwhile: () => void): Promise<void> => {
  setting.port.suffer('black hole')
  meanwhile()
  setting.server.compact()
  setting.port.restart()
  await setting.settle()
  await setting.passPause()
  await setting.passPause()
}

test.for([
  { way: 'by a stream', view: {} },
  { way: 'by lists', view: listed },
])('taking everything in again $way tells only what is different', async ({ view }) => {
  using setting = new WatchedServer()
  for (const name of ['same', 'changed', 'gone', 'again', 'also-same']) setting.put(name)
  const { changes, informer } = await setting.observe(view)
  changes.length = 0
  await missing(setting, () => {
    setting.put('changed')
    setting.delete('gone')
    setting.delete('again')
    setting.put('again')
    setting.put('new')
  })
  expect(informer.syncs.get('expired')).toBe(1)
  expect(changes.sort()).toEqual(['- → new@110', 'again@104 → again@109', 'changed@102 → changed@106', 'gone@103 → -'])
})

test('what vanished unseen is told with the last that was known of it', async () => {
  using setting = new WatchedServer()
  setting.put('n', 'last words')
  const { informer } = await setting.observe()
  const removed: (Thing | undefined)[] = []
  informer.store.onChange((before, after) => void (after === undefined && removed.push(before)))
  await missing(setting, () => setting.delete('n'))
  expect(removed.map((thing) => thing?.data)).toEqual([{ text: 'last words' }])
})

test('nothing of a stream is seen before the bookmark that ends it, and then all of it', async () => {
  using setting = new WatchedServer({ initialEvents: 'endless' })
  setting.put('n')
  setting.put('m')
  const observed = await setting.observe()
  setting.delete('m')
  setting.port.bookmark()
  await setting.settle()
  expect(observed.changes).toEqual([])
  expect(observed.informer.isSynced).toBe(false)
  setting.port.watches[0]?.endInitial()
  await setting.settle()
  expect(observed.changes).toEqual(['- → n@101'])
  expect(observed.informer.isSynced).toBe(true)
})

test('while everything is taken in again, what was known before is still there', async () => {
  using setting = new WatchedServer()
  setting.put('n', 'before')
  const observed = await setting.observe()
  setting.port.initialEvents = 'endless'
  await missing(setting, () => setting.put('n', 'after'))
  expect(textsOf(observed)).toEqual({ n: 'before' })
  setting.port.watches[0]?.endInitial()
  await setting.settle()
  expect(textsOf(observed)).toEqual({ n: 'after' })
})

test('the stream that brought everything goes on with the changes', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  setting.put('n')
  await setting.settle()
  expect(textsOf(observed)).toEqual({ n: 'x' })
  expect(setting.asked).toEqual(['watch all'])
})

test.for([400, 422])('a server that refuses initial events with %i is asked for pages', async (status) => {
  using setting = new WatchedServer()
  for (const name of ['n', 'm', 'o', 'p']) setting.put(name)
  setting.port.arm({ status, retryAfter: undefined, body: '' })
  const observed = await setting.observe()
  expect(setting.asked).toEqual(['watch all', 'list', 'next page', 'watch from 104'])
  expect(textsOf(observed)).toEqual({ n: 'x', m: 'x', o: 'x', p: 'x' })
  expect(observed.troubles).toEqual([])
})

test('a server that sends nothing for 10 s before its initial events end is asked for pages', async () => {
  using setting = new WatchedServer({ initialEvents: 'endless' })
  setting.put('n')
  const observed = await setting.observe()
  await setting.pass(seconds(9))
  setting.put('m')
  await setting.settle()
  await setting.pass(seconds(9))
  expect(setting.asked).toEqual(['watch all'])
  await setting.pass(seconds(1))
  expect(setting.asked).toEqual(['watch all', 'list', 'watch from 102'])
  expect(textsOf(observed)).toEqual({ n: 'x', m: 'x' })
})

test('that a server does not know initial events is remembered for an hour, and then tried again', async () => {
  using setting = new WatchedServer({ initialEvents: 'unknown' })
  await setting.observe()
  await missing(setting, () => setting.put('n'))
  expect(setting.asked.filter((asked) => asked === 'watch all')).toHaveLength(1)
  setting.port.initialEvents = 'known'
  for (let minute = 0; minute < 60; minute += 1) {
    await setting.pass(minutes(1))
    setting.port.bookmark()
    await setting.settle()
  }
  await missing(setting, () => setting.put('m'))
  expect(setting.asked.filter((asked) => asked === 'watch all')).toHaveLength(2)
})

test('what one informer learned of initial events does not concern the next', async () => {
  using setting = new WatchedServer({ initialEvents: 'unknown' })
  await setting.observe()
  await setting.observe()
  expect(setting.asked.filter((asked) => asked === 'watch all')).toHaveLength(2)
})

test('an inspector sees every object whole once, by pages, and the watch afterwards brings metadata alone', async () => {
  using setting = new WatchedServer()
  for (const name of ['n', 'm', 'o', 'p']) setting.put(name, `value of ${name}`)
  const seen: KubeObject[] = []
  const gone: string[] = []
  const inspector = { saw: (object: KubeObject) => void seen.push(object), left: (uid: string) => void gone.push(uid) }
  const { informer } = await setting.observe({ extent: 'metadata', inspector })
  setting.put('n', 'another value')
  setting.delete('m')
  await setting.settle()
  expect(seen.map((object) => (object as Thing).data['text'])).toEqual(
    ['n', 'm', 'o', 'p'].map((name) => `value of ${name}`),
  )
  expect(gone).toEqual(['uid-2'])
  expect(JSON.stringify(informer.store.list())).not.toContain('value')
  expect(setting.port.requests.map(({ accept }) => accept.includes('PartialObjectMetadata'))).toEqual([
    false,
    false,
    true,
  ])
})

test('only so many take everything in at once; the next begins at the bookmark that ends the first', async () => {
  using setting = new WatchedServer({ initialEvents: 'endless', syncsAtOnce: 2 })
  const [first, , third] = [setting.start(), setting.start(), setting.start()]
  await setting.settle()
  expect(setting.port.watches).toHaveLength(2)
  setting.port.watches[0]?.endInitial()
  await setting.settle()
  expect(setting.port.watches).toHaveLength(3)
  setting.port.watches[2]?.endInitial()
  await setting.settle()
  expect([first.informer.isSynced, third.informer.isSynced]).toEqual([true, true])
})

test.for([
  { when: 'fails', give: (setting: WatchedServer) => setting.port.suffer('cut') },
  { when: 'breaks off', give: (setting: WatchedServer) => setting.port.suffer('end') },
])('one that $when gives its place to the next, and waits for another', async ({ give }) => {
  using setting = new WatchedServer({ initialEvents: 'endless', syncsAtOnce: 1 })
  const first = await setting.observe()
  const second = await setting.observe()
  setting.port.initialEvents = 'known'
  give(setting)
  await setting.settle()
  expect(second.informer.isSynced).toBe(true)
  expect(first.informer.isSynced).toBe(false)
  await setting.passPause()
  expect(first.informer.isSynced).toBe(true)
})

test('one that is stopped gives its place to the next', async () => {
  using setting = new WatchedServer({ initialEvents: 'endless', syncsAtOnce: 1 })
  const first = await setting.observe()
  const second = await setting.observe()
  setting.port.initialEvents = 'known'
  first.stop()
  await setting.settle()
  expect(second.informer.isSynced).toBe(true)
})

test('a server that was restored from a backup is noticed, and what it does not have is forgotten', async () => {
  using setting = new WatchedServer()
  setting.put('n', 'before the backup')
  const observed = await setting.observe()
  setting.put('n', 'after the backup')
  setting.put('m')
  await setting.settle()
  setting.server.rewindBehind(103, 1)
  setting.port.restart()
  await setting.settle()
  await setting.passPause()
  await setting.pass(seconds(71))
  await setting.passPause()
  expect(observed.informer.syncs.get('rewound')).toBe(1)
  expect(textsOf(observed)).toEqual({ n: 'before the backup' })
  setting.put('o')
  await setting.settle()
  expect(textsOf(observed)).toEqual({ n: 'before the backup', o: 'x' })
})
