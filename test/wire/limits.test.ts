import { beforeAll, expect, test } from 'vitest'
import { type Authority, createAuthority, type KeyAndCertificate } from '../../src/dev/control-plane/certificates.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { composeCredentials, type Proof } from '../../src/kube/credentials.ts'
import { fixed, type Source } from '../../src/kube/source.ts'
import { connect } from '../../src/kube/wire.ts'
import { milliseconds, minutes, seconds } from '../../src/pure/duration.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { aGet, aPost, ask } from './ask.ts'
import { type Answer, startTlsServer, type TlsServer } from './tls-server.ts'

let authority: Authority
let serving: KeyAndCertificate
beforeAll(async () => {
  authority = await createAuthority()
  serving = await authority.issueServer('api', ['127.0.0.1'])
})

const connected = ({ url }: Pick<TlsServer, 'url'>, proof: Source<Proof> = fixed({})) => {
  const clock = new TurnedClock()
  const credentials = composeCredentials({ server: url, ca: fixed(authority.certificate), proofs: [proof] })
  return { clock, port: connect(credentials, { clock }) }
}

const silent: Answer = () => undefined
const endless: Answer = (_seen, response) => response.writeHead(200).write('{')

test.for([
  { what: 'a write', request: aPost, answer: silent, limit: seconds(8) },
  { what: 'a delete', request: { ...aPost, method: 'DELETE' } as const, answer: silent, limit: seconds(8) },
  { what: 'a read', request: aGet, answer: silent, limit: seconds(30) },
  { what: 'a read whose reply never ends', request: aGet, answer: endless, limit: seconds(30) },
])('$what is given up after $limit ms, and may have been carried out', async ({ request, answer, limit }) => {
  await using server = await startTlsServer(serving, answer)
  const { port, clock } = connected(server)
  let outcome: unknown
  const call = ask(port, request).catch((error: unknown) => (outcome = error))
  await eventually('it has arrived', () => server.seen.length === 1)
  clock.turn(milliseconds(limit - 1))
  expect(server.open).toBe(1)
  expect(outcome).toBeUndefined()
  clock.turn(milliseconds(1))
  await call
  expect(outcome).toMatchObject({
    name: 'ConnectionError',
    message: `no answer within ${limit / 1000} s`,
    wasSent: true,
  })
  await eventually('its connection is closed', () => server.open === 0)
  await port.close()
})

test('a watch that was opened may be silent for as long as it likes', async () => {
  await using server = await startTlsServer(serving, endless)
  const { port, clock } = connected(server)
  const { body } = await port.open(aGet, new AbortController().signal)
  clock.turn(minutes(60))
  const lines = body[Symbol.asyncIterator]()
  expect(Buffer.from((await lines.next()).value as Uint8Array).toString()).toBe('{')
  expect(server.open).toBe(1)
  await port.close()
})

test('a watch that is not opened within 30 s is given up', async () => {
  await using server = await startTlsServer(serving, silent)
  const { port, clock } = connected(server)
  const watch = port.open(aGet, new AbortController().signal)
  watch.catch(() => undefined)
  await eventually('it has arrived', () => server.seen.length === 1)
  clock.turn(seconds(30))
  await expect(watch).rejects.toMatchObject({ message: 'no answer within 30 s' })
  await port.close()
})

test('time spent on finding out who we are counts, and what was given up is not sent later', async () => {
  await using server = await startTlsServer(serving)
  const token = Promise.withResolvers<Proof>()
  const { port, clock } = connected(server, { current: () => token.promise, renew: () => false })
  const call = ask(port, aPost)
  clock.turn(seconds(8))
  await expect(call).rejects.toMatchObject({ message: 'no answer within 8 s', wasSent: false })
  token.resolve({ token: 'late' })
  await ask(port)
  expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
  await port.close()
})

test.for(['before it begins', 'on its way'])('a call can be called off %s', async (when) => {
  await using server = await startTlsServer(serving, silent)
  const { port } = connected(server)
  const off = new AbortController()
  if (when === 'before it begins') off.abort()
  const call = port.call(aPost, off.signal)
  call.catch(() => undefined)
  if (when === 'on its way') await eventually('it has arrived', () => server.seen.length === 1)
  off.abort()
  await expect(call).rejects.toMatchObject({ message: 'it was called off', wasSent: when === 'on its way' })
  await port.close()
  expect(server.seen).toHaveLength(when === 'on its way' ? 1 : 0)
})

test('nothing was sent where nobody listens', async () => {
  const server = await startTlsServer(serving)
  await server[Symbol.asyncDispose]()
  const { port } = connected(server)
  await expect(ask(port, aPost)).rejects.toMatchObject({ message: 'ECONNREFUSED', wasSent: false })
  await port.close()
})

test('a write whose connection breaks before the reply may have been carried out', async () => {
  await using server = await startTlsServer(serving, (_seen, response) => response.destroy())
  const { port } = connected(server)
  await expect(ask(port, aPost)).rejects.toMatchObject({ name: 'ConnectionError', wasSent: true })
  await port.close()
})

test('a reply that is no HTTP is told as a broken connection', async () => {
  await using server = await startTlsServer(serving, (_seen, response) => response.socket?.end('hello\r\n\r\n'))
  const { port } = connected(server)
  await expect(ask(port, aPost)).rejects.toMatchObject({ message: 'connection broken', wasSent: true })
  await port.close()
})
