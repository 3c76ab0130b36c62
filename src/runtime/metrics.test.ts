import { expect, test } from 'vitest'
import { aPulse, aWatch } from '../../test/kit/pulse.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { seconds } from '../pure/duration.ts'
import { Lease, Namespace, Secret } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { Metrics } from './metrics.ts'
import type { Pulse } from './pulse.ts'
import { Queue } from './queue.ts'

const linesOf = async (metrics: Metrics): Promise<readonly string[]> => (await metrics.text()).split('\n')

const showing = (pulse: Pulse, controllers: readonly string[] = []): Metrics => {
  const metrics = new Metrics()
  metrics.show(pulse, controllers)
  return metrics
}

const aSecret = (n: number, data: object = {}): KubeObject & { data: object } => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'tenant-a', name: `object-${n}`, uid: `uid-${n}`, resourceVersion: String(n + 1) },
  data,
})

test('passes are counted by controller and outcome, and timed in seconds', async () => {
  const metrics = new Metrics()
  metrics.passed('agents', 'done', 30)
  metrics.passed('agents', 'done', 200)
  metrics.passed('agents', 'retry', 90_000)
  const lines = await linesOf(metrics)
  expect(lines).toContain('holdfast_pass_seconds_count{controller="agents",outcome="done"} 2')
  expect(lines).toContain('holdfast_pass_seconds_sum{controller="agents",outcome="done"} 0.23')
  expect(lines).toContain('holdfast_pass_seconds_bucket{le="0.05",controller="agents",outcome="done"} 1')
  expect(lines).toContain('holdfast_pass_seconds_bucket{le="60",controller="agents",outcome="retry"} 0')
  expect(lines).toContain('holdfast_pass_seconds_bucket{le="120",controller="agents",outcome="retry"} 1')
})

test('requests are counted by verb, kind and what came of them, repairs by kind', async () => {
  const metrics = new Metrics()
  metrics.requested('create', Secret, 'ok')
  metrics.requested('create', Secret, 'ok')
  metrics.requested('apply', Secret, 'conflict')
  metrics.repaired(Secret)
  const lines = await linesOf(metrics)
  expect(lines).toContain('holdfast_requests_total{verb="create",kind="Secret",outcome="ok"} 2')
  expect(lines).toContain('holdfast_requests_total{verb="apply",kind="Secret",outcome="conflict"} 1')
  expect(lines).toContain('holdfast_repairs_total{kind="Secret"} 1')
})

test('what waits is counted by lane, and the first of it says how long it has waited', async () => {
  const clock = new TurnedClock()
  const queue = new Queue(clock)
  const attachments = [{ controller: { name: 'agents' }, queue }]
  const metrics = showing(aPulse({ attachments }))
  queue.add('a')
  clock.turn(seconds(4))
  queue.add('b', 'relist')
  queue.add('c', 'relist')
  const lines = await linesOf(metrics)
  expect(lines).toContain('holdfast_queue_depth{controller="agents",lane="change"} 1')
  expect(lines).toContain('holdfast_queue_depth{controller="agents",lane="relist"} 2')
  expect(lines).toContain('holdfast_queue_oldest_seconds{controller="agents"} 4')
})

test('a controller is attached or waits, and its queue is shown only while it is there', async () => {
  const attached = { controller: { name: 'agents' }, queue: new Queue(new TurnedClock()) }
  let attachments: Pulse['attachments'] = [attached]
  const pulse = {
    ...aPulse(),
    get attachments() {
      return attachments
    },
  }
  const metrics = showing(pulse, ['agents', 'ledgers'])
  const before = await linesOf(metrics)
  expect(before).toContain('holdfast_controller_attached{controller="agents"} 1')
  expect(before).toContain('holdfast_controller_attached{controller="ledgers"} 0')
  attachments = []
  const after = await linesOf(metrics)
  expect(after).toContain('holdfast_controller_attached{controller="agents"} 0')
  expect(after.filter((line) => line.startsWith('holdfast_queue_'))).toEqual([])
})

test.for([
  { isLeading: true, value: 1 },
  { isLeading: false, value: 0 },
])('holdfast_leading is $value when isLeading is $isLeading', async ({ isLeading, value }) => {
  expect(await linesOf(showing(aPulse({ isLeading })))).toContain(`holdfast_leading ${value}`)
})

test('the silence of a kind is that of its most silent watch, and only watches of a namespace name it', async () => {
  const informers = [
    aWatch(Namespace, { silence: seconds(3) }),
    aWatch(Secret, { namespace: 'system', silence: seconds(5) }),
    aWatch(Secret, { namespace: 'tenant-a', choice: { name: 'one' }, silence: seconds(7) }),
    aWatch(Secret, { namespace: 'tenant-b', choice: { name: 'two' }, silence: seconds(9) }),
  ]
  const lines = await linesOf(showing(aPulse({ informers })))
  expect(lines.filter((line) => line.startsWith('holdfast_watch_silence_seconds'))).toEqual([
    'holdfast_watch_silence_seconds{kind="Namespace",namespace=""} 3',
    'holdfast_watch_silence_seconds{kind="Secret",namespace="system"} 5',
    'holdfast_watch_silence_seconds{kind="Secret",namespace=""} 9',
  ])
})

test('syncs are never counted twice, nor taken back when a watch ends', async () => {
  const first = aWatch(Secret, { syncs: new Map([['start', 1]]) })
  const second = aWatch(Secret, { syncs: new Map([['start', 1]]) })
  const informers = [first, second]
  const metrics = showing(aPulse({ informers }))
  expect(await linesOf(metrics)).toContain('holdfast_syncs_total{kind="Secret",reason="start"} 2')
  first.syncs.set('expired', 3)
  expect(await linesOf(metrics)).toContain('holdfast_syncs_total{kind="Secret",reason="expired"} 3')
  informers.shift()
  const lines = await linesOf(metrics)
  expect(lines).toContain('holdfast_syncs_total{kind="Secret",reason="start"} 2')
  expect(lines).toContain('holdfast_syncs_total{kind="Secret",reason="expired"} 3')
})

test('the cache is measured by kind, whatever the number of its watches', async () => {
  const objects = [aSecret(0), aSecret(1), aSecret(2)]
  const informers = [
    aWatch(Secret, { namespace: 'a', objects: objects.slice(0, 2) }),
    aWatch(Secret, { namespace: 'b', objects: objects.slice(2) }),
    aWatch(Lease),
  ]
  const lines = await linesOf(showing(aPulse({ informers })))
  expect(lines).toContain('holdfast_cache_objects{kind="Secret"} 3')
  expect(lines).toContain(`holdfast_cache_bytes{kind="Secret"} ${JSON.stringify(objects).length - '[,,]'.length}`)
  expect(lines).toContain('holdfast_cache_objects{kind="Lease"} 0')
  expect(lines).toContain('holdfast_cache_bytes{kind="Lease"} 0')
})

test('of many objects only fifty are printed to measure them all', async () => {
  let printed = 0
  const toJSON = () => {
    printed += 1
    return 'x'.repeat(98)
  }
  const objects = Array.from({ length: 10_000 }, (_, n) => ({ ...aSecret(n), toJSON }))
  const lines = await linesOf(showing(aPulse({ informers: [aWatch(Secret, { objects })] })))
  expect(lines).toContain('holdfast_cache_bytes{kind="Secret"} 1000000')
  expect(printed).toBe(50)
})

test('nothing of an object is told: neither what a Secret holds nor what it is called', async () => {
  const told = ['open-sesame', 'tenant-a', 'object-', 'uid-']
  const objects = [aSecret(0, { 'open-sesame': 'open-sesame' }), aSecret(1)]
  const informers = [
    aWatch(Secret, { objects }),
    aWatch(Secret, { namespace: 'tenant-a', choice: { name: 'object-1' }, objects }),
  ]
  const queue = new Queue(new TurnedClock())
  queue.add('tenant-a/object-0')
  const metrics = showing(aPulse({ informers, attachments: [{ controller: { name: 'agents' }, queue }] }), ['agents'])
  const text = await metrics.text()
  expect(text).toContain('holdfast_cache_objects{kind="Secret"} 4')
  expect(told.filter((word) => text.includes(word))).toEqual([])
})

test('the process tells of itself, too', async () => {
  const text = await new Metrics().text()
  for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds', 'process_cpu_seconds_total']) {
    expect(text).toMatch(new RegExp(`^${name} `, 'm'))
  }
})
