import { expect, test } from 'vitest'
import { replyWith, scriptedPort } from '../../test/kit/scripted-port.ts'
import { type Client, createClient } from '../kube/client.ts'
import { ConnectionError, type WireReply } from '../kube/port.ts'
import { Secret } from '../pure/kind.ts'
import { meteredClient } from './metered-client.ts'
import { Metrics } from './metrics.ts'

const key = { namespace: 'a', name: 'x' }
const on = { uid: 'u', resourceVersion: '1' }
const secret = { metadata: { ...key, resourceVersion: '1' } }
const never = new AbortController().signal

/** The requests that were counted, once this has been asked of a server that answers so. */
const countedOf = async (ask: (client: Client) => Promise<unknown>, answer: () => WireReply): Promise<string[]> => {
  const metrics = new Metrics()
  const port = scriptedPort(answer)
  await Promise.allSettled([ask(meteredClient(createClient(port, never), metrics))])
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('holdfast_requests_total{'))
}

const anObject = () => replyWith(200, { ...secret, kind: 'Secret' })

test.for([
  { verb: 'get', ask: (client: Client) => client.get(Secret, key) },
  { verb: 'list', ask: (client: Client) => client.list(Secret, {}) },
  { verb: 'create', ask: (client: Client) => client.create(Secret, secret, 'me') },
  { verb: 'apply', ask: (client: Client) => client.apply(Secret, secret, on, 'me') },
  { verb: 'applyStatus', ask: (client: Client) => client.applyStatus(Secret, secret, on, 'me') },
  { verb: 'mark', ask: (client: Client) => client.mark(Secret, key, { on, set: {} }, 'me') },
  { verb: 'delete', ask: (client: Client) => client.delete(Secret, key, 'u') },
  { verb: 'watch', ask: (client: Client) => client.openWatch(Secret, {}, { extent: 'whole', query: {} }, never) },
])('each $verb is counted', async ({ verb, ask }) => {
  expect(await countedOf(ask, anObject)).toEqual([
    `holdfast_requests_total{verb="${verb}",kind="Secret",outcome="ok"} 1`,
  ])
})

test.for([
  { outcome: 'conflict', answer: () => replyWith(409, {}) },
  { outcome: 'throttled', answer: () => replyWith(429, {}) },
  { outcome: 'refused', answer: () => replyWith(403, {}) },
  { outcome: 'gone', answer: () => replyWith(404, { reason: 'NotFound' }) },
  { outcome: 'ambiguous', answer: () => replyWith(500, {}) },
  { outcome: 'unreachable', answer: () => fail(new ConnectionError('no route', { wasSent: false })) },
  { outcome: 'other', answer: () => fail(new Error('called off')) },
])('a write that fails counts as $outcome, and the caller hears of it', async ({ outcome, answer }) => {
  let heard: unknown
  const ask = async (client: Client) => {
    heard = await client.create(Secret, secret, 'me').catch((error: unknown) => error)
  }
  expect(await countedOf(ask, answer)).toEqual([
    `holdfast_requests_total{verb="create",kind="Secret",outcome="${outcome}"} 1`,
  ])
  expect(heard).toBeInstanceOf(Error)
})

const fail = (error: Error): never => {
  throw error
}
