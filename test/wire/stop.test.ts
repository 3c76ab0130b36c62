import { expect, test } from 'vitest'
import { ConfigMap, label, listed, textsOf, WatchedServer } from './watched-server.ts'
import { Cluster } from '../../src/kube/cluster.ts'

test.for([
  { moment: 'while it watches', view: {}, begin: () => undefined },
  {
    moment: 'while it takes everything in',
    view: {},
    begin: (at: WatchedServer) => (at.port.initialEvents = 'endless'),
  },
  { moment: 'while it lists', view: listed, begin: () => undefined },
  { moment: 'while it dials', view: {}, begin: (at: WatchedServer) => at.port.arm('no answer') },
  { moment: 'while it pauses', view: {}, begin: (at: WatchedServer) => at.port.arm('500') },
])('an informer that is stopped $moment ends, and leaves no timer and no stream', async ({ view, begin }) => {
  using setting = new WatchedServer()
  for (const name of ['n', 'm', 'o', 'p']) setting.put(name)
  begin(setting)
  const observed = await setting.observe(view)
  observed.stop()
  await observed.ended
  expect(setting.clock.untilNext).toBeUndefined()
  expect(setting.port.watches).toHaveLength(0)
})

test('a stopped informer delivers nothing more', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  const observed = await setting.observe()
  setting.put('m')
  observed.stop()
  setting.put('o')
  await setting.settle()
  expect(observed.changes).toEqual(['- → n@101'])
})

test('whoever stops it from within a change hears of no other, although more has arrived', async () => {
  using setting = new WatchedServer()
  const observed = await setting.observe()
  observed.informer.store.onChange(() => observed.stop())
  const metadata = { namespace: 'a', uid: 'uid', labels: { [label]: 'x' } }
  const lines = [1, 2, 3].map((n) => {
    const object = { metadata: { ...metadata, name: `n${n}`, resourceVersion: String(200 + n) }, data: {} }
    return `${JSON.stringify({ type: 'ADDED', object })}\n`
  })
  setting.port.watches[0]?.send(lines.join(''))
  await setting.settle()
  expect(observed.changes).toEqual(['- → n1@201'])
})

test('a list that is answered after the stop is not taken in', async () => {
  using setting = new WatchedServer()
  setting.put('n')
  const observed = setting.start(listed)
  observed.stop()
  await observed.ended
  await setting.settle()
  expect(observed.changes).toEqual([])
  expect(observed.informer.isSynced).toBe(false)
})

test('a list of many pages is given up in the middle', async () => {
  using setting = new WatchedServer()
  for (let n = 0; n < 30; n += 1) setting.put(`n${n}`)
  const seen: unknown[] = []
  const saw = (object: unknown) => {
    seen.push(object)
    observed.stop()
  }
  const observed = setting.start({ inspector: { saw, left: () => undefined } })
  await observed.ended
  expect(setting.asked).toEqual(['list'])
  expect(seen).toHaveLength(1)
})

test('who waits for its turn when it is stopped asks for nothing', async () => {
  using setting = new WatchedServer({ initialEvents: 'endless', syncsAtOnce: 1 })
  const first = await setting.observe()
  const second = await setting.observe(listed)
  second.stop()
  first.stop()
  await Promise.all([first.ended, second.ended])
  expect(setting.asked).toEqual(['watch all'])
})

test('what one controller no longer sees has no streams left, and those of others go on', async () => {
  using setting = new WatchedServer()
  const cluster = new Cluster({
    wires: setting.wires(),
    scope: { own: 'a', watched: 'all' },
    onFollowedChange: () => undefined,
    onCollapse: (error) => expect.fail(String(error)),
  })
  const other = await setting.observe()
  const lost = cluster.keepInView({ kind: ConfigMap, choice: { label }, extent: 'whole', indexes: {} })
  await setting.settle()
  expect(setting.port.watches).toHaveLength(2)
  cluster.close()
  setting.put('n')
  await setting.settle()
  expect(setting.port.watches).toHaveLength(1)
  expect(lost.list()).toEqual([])
  expect(textsOf(other)).toEqual({ n: 'x' })
})

test('an informer that ends by a bug of ours is reported, and not silently missed', async () => {
  using setting = new WatchedServer()
  const collapse = Promise.withResolvers<unknown>()
  const bug = new TypeError('x is not a function')
  const onTrouble = () => {
    throw bug
  }
  const options = { scope: { own: 'a', watched: 'all' } as const, onFollowedChange: () => undefined }
  const cluster = new Cluster({ ...options, wires: setting.wires(onTrouble), onCollapse: collapse.resolve })
  cluster.keepInView({ kind: ConfigMap, choice: {}, extent: 'whole', indexes: {} })
  await setting.settle()
  setting.port.suffer('cut')
  expect(await collapse.promise).toBe(bug)
})
