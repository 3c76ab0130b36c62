import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { createClient } from '../../src/kube/client.ts'
import { Informer } from '../../src/kube/informer.ts'
import { ConnectionError } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { seconds } from '../../src/pure/duration.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { healthOf } from '../../src/runtime/health.ts'
import { Metrics } from '../../src/runtime/metrics.ts'
import { aPulse } from '../kit/pulse.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { FaultyPort } from './faulty-port.ts'
import { ObjectServer } from './object-server.ts'
import { Random } from './random.ts'

const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }

/** A watch on a scripted server, and what the metrics and the probes show of it. */
const watching = async () => {
  const server = new ObjectServer()
  const clock = new TurnedClock()
  const breakage = () => new ConnectionError('cut', { wasSent: true })
  const port = new FaultyPort({ server, random: new Random(1), breakage }, 'known')
  const stop = new AbortController()
  const { signal } = stop
  const client = createClient(port, signal)
  const wires = { client, clock, signal, syncs: new Turnstile(1), onTrouble: () => undefined }
  const informer = new Informer({ kind: ConfigMap, choice: {}, extent: 'whole', indexes: {} }, undefined, wires)
  const pulse = aPulse({ informers: [informer] })
  const metrics = new Metrics()
  metrics.show(pulse, [])
  const running = informer.run()
  onTestFinished(() => {
    stop.abort()
    return running
  })
  const shows = (line: string) =>
    eventually(`the metrics show ${line}`, async () => (await metrics.text()).split('\n').includes(line))
  const { obstacles } = healthOf({ ...pulse, collapsed: new Promise<Error>(() => undefined) })
  return { server, clock, port, informer, shows, obstacles }
}

test('a watch shows how long it has been silent, until a bookmark comes', async () => {
  const { clock, port, informer, shows } = await watching()
  await informer.synced
  await shows('holdfast_watch_silence_seconds{kind="ConfigMap",namespace=""} 0')
  clock.turn(seconds(30))
  await shows('holdfast_watch_silence_seconds{kind="ConfigMap",namespace=""} 30')
  port.bookmark()
  await shows('holdfast_watch_silence_seconds{kind="ConfigMap",namespace=""} 0')
})

test('the metrics show what is in view, and why everything was taken in', async () => {
  const { server, clock, port, informer, shows } = await watching()
  await informer.synced
  await shows('holdfast_syncs_total{kind="ConfigMap",reason="start"} 1')
  server.put({ namespace: 'a', name: 'n' }, {}, {})
  await shows('holdfast_cache_objects{kind="ConfigMap"} 1')
  port.suffer('expired')
  await eventually('the watch pauses', () => (clock.untilNext ?? seconds(60)) < seconds(2))
  clock.turn(seconds(2))
  await shows('holdfast_syncs_total{kind="ConfigMap",reason="expired"} 1')
  await shows('holdfast_syncs_total{kind="ConfigMap",reason="start"} 1')
})

test('a watch that hears nothing makes the process unready, until the server speaks again', async () => {
  const { server, clock, port, informer, obstacles } = await watching()
  expect(obstacles()).toEqual(['ConfigMap: not everything is in view yet'])
  await informer.synced
  expect(obstacles()).toEqual([])
  port.suffer('black hole')
  clock.turn(seconds(151))
  expect(obstacles()).toEqual([expect.stringContaining('ConfigMap: the API server has said nothing for 151 s')])
  await eventually('the process is ready', () => {
    clock.turn(seconds(0.1))
    server.put({ namespace: 'a', name: 'n' }, {}, {})
    return obstacles().length === 0
  })
})
