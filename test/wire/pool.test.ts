import { beforeAll, expect, test } from 'vitest'
import { type Authority, createAuthority, type KeyAndCertificate } from '../../src/dev/control-plane/certificates.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { composeCredentials } from '../../src/kube/credentials.ts'
import { fixed } from '../../src/kube/source.ts'
import { connect } from '../../src/kube/wire.ts'
import { milliseconds } from '../../src/pure/duration.ts'
import { aGet, ask } from './ask.ts'
import { type Answer, startTlsServer } from './tls-server.ts'

let authority: Authority
let serving: KeyAndCertificate
beforeAll(async () => {
  authority = await createAuthority()
  serving = await authority.issueServer('api', ['127.0.0.1'])
})

const trusting = (server: string) =>
  composeCredentials({ server, ca: fixed(authority.certificate), proofs: [fixed({ token: 't' })] })

test('200 calls one after the other share one connection', async () => {
  await using server = await startTlsServer(serving)
  const port = connect(trusting(server.url))
  for (let n = 0; n < 200; n += 1) await ask(port)
  await port.close()
  expect(server.seen).toHaveLength(200)
  expect(server.dialled).toBe(1)
})

test('300 calls at once open at most 32 connections, and all are answered', async () => {
  await using server = await startTlsServer(serving, (_seen, response) => setImmediate(() => response.end('{}')))
  const port = connect(trusting(server.url))
  const replies = await Promise.all(Array.from({ length: 300 }, () => ask(port)))
  await port.close()
  expect(replies.every(({ status }) => status === 200)).toBe(true)
  expect(server.dialled).toBeLessThanOrEqual(32)
})

test('a write with a body does not cost its connection', async () => {
  await using server = await startTlsServer(serving)
  const port = connect(trusting(server.url))
  for (const method of ['POST', 'PATCH', 'DELETE', 'DELETE'] as const) await ask(port, { ...aGet, method, body: '{}' })
  await port.close()
  expect(server.dialled).toBe(1)
})

test('a connection that has become too old is replaced, and closed', async () => {
  await using server = await startTlsServer(serving)
  const port = connect(trusting(server.url), { oldestConnection: milliseconds(50) })
  await eventually('another connection', async () => (await ask(port)).status === 200 && server.dialled > 1)
  await eventually('the old one is closed', () => server.open === 1)
  const young = connect(trusting(server.url))
  const before = server.dialled
  for (let n = 0; n < 200; n += 1) await ask(young)
  expect(server.dialled).toBe(before + 1)
  await Promise.all([port.close(), young.close()])
})

const drip: Answer = (_seen, response) => response.writeHead(200).write('{}\n')

test('each watch has a connection of its own, and none is left when it ends', async () => {
  await using server = await startTlsServer(serving, drip)
  const port = connect(trusting(server.url))
  const ended = new AbortController()
  await Promise.all(Array.from({ length: 40 }, () => port.open(aGet, ended.signal)))
  expect(server.open).toBe(40)
  ended.abort()
  await eventually('all are closed', () => server.open === 0)
  await port.close()
})

test('a closed port has no connection left, and opens none', async () => {
  await using server = await startTlsServer(serving, (seen, response) =>
    seen.url === '/x' ? response.end('{}') : drip(seen, response),
  )
  const port = connect(trusting(server.url))
  await ask(port)
  const watch = await port.open({ ...aGet, path: '/watch' }, new AbortController().signal)
  await port.close()
  await expect(Array.fromAsync(watch.body)).rejects.toMatchObject({ name: 'ConnectionError' })
  await eventually('all are closed', () => server.open === 0)
  await expect(ask(port)).rejects.toMatchObject({ name: 'ConnectionError', wasSent: false })
  expect(server.dialled).toBe(2)
})
