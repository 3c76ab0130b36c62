import { beforeAll, expect, test } from 'vitest'
import { type Authority, createAuthority, type KeyAndCertificate } from '../../src/dev/control-plane/certificates.ts'
import { composeCredentials, type Proof } from '../../src/kube/credentials.ts'
import { fixed, reread, type Source } from '../../src/kube/source.ts'
import { connect } from '../../src/kube/wire.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { aGet, aPost, ask } from './ask.ts'
import { type Answer, startTlsServer, type TlsServer } from './tls-server.ts'

let authority: Authority
let serving: KeyAndCertificate
beforeAll(async () => {
  authority = await createAuthority()
  serving = await authority.issueServer('api', ['127.0.0.1'])
})

const letIn =
  (...tokens: readonly string[]): Answer =>
  ({ token = '' }, response) =>
    response.writeHead(tokens.includes(token) ? 200 : 401).end(token)

const connected = ({ url }: TlsServer, token: Source<Proof>) => {
  const ca = fixed(authority.certificate)
  return connect(composeCredentials({ server: url, ca, proofs: [token] }))
}

/** Tokens as if from a file that has the next one each time it is read. */
const tokens = (...all: readonly string[]): Source<Proof> => {
  const left = [...all]
  return reread(new TurnedClock(), () => Promise.resolve({ token: (left.length > 1 ? left.shift() : left[0]) ?? '' }))
}

const tokensSeen = ({ seen }: TlsServer) => seen.map(({ token }) => token)

test.for([aGet, aPost])('after a 401 to a $method there is one more try, with the token of then', async (request) => {
  await using server = await startTlsServer(serving, letIn('fresh'))
  const port = connected(server, tokens('stale', 'fresh'))
  expect(await ask(port, request)).toMatchObject({ status: 200, body: 'fresh' })
  await ask(port)
  await port.close()
  expect(tokensSeen(server)).toEqual(['stale', 'fresh', 'fresh'])
})

test('a second 401 is the answer', async () => {
  await using server = await startTlsServer(serving, letIn('right'))
  const port = connected(server, tokens('wrong', 'also wrong', 'right'))
  expect(await ask(port)).toMatchObject({ status: 401 })
  await port.close()
  expect(tokensSeen(server)).toEqual(['wrong', 'also wrong'])
})

test.for([
  ['a token that cannot change', () => fixed({ token: 'wrong' })],
  ['a file with the same token as before', () => tokens('wrong')],
] as const)('%s is not tried again', async ([, source]) => {
  await using server = await startTlsServer(serving, letIn())
  const port = connected(server, source())
  expect(await ask(port)).toMatchObject({ status: 401, body: 'wrong' })
  await port.close()
  expect(tokensSeen(server)).toEqual(['wrong'])
})

test('a watch that is refused is opened once more, with the token of then', async () => {
  await using server = await startTlsServer(serving, letIn('fresh'))
  const port = connected(server, tokens('stale', 'fresh'))
  const { status, body } = await port.open(aGet, new AbortController().signal)
  expect(status).toBe(200)
  expect(Buffer.concat(await Array.fromAsync(body)).toString()).toBe('fresh')
  await port.close()
})

test('a watch that is refused twice says so', async () => {
  await using server = await startTlsServer(serving, letIn())
  const port = connected(server, tokens('stale', 'fresh', 'never tried'))
  expect((await port.open(aGet, new AbortController().signal)).status).toBe(401)
  await port.close()
  expect(tokensSeen(server)).toEqual(['stale', 'fresh'])
})

test('many calls that are refused at once ask for one new token', async () => {
  await using server = await startTlsServer(serving, letIn('fresh'))
  const port = connected(server, tokens('stale', 'fresh', 'too new'))
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(port)))
  await port.close()
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

test('a call that is refused while nobody can say who else we are fails, and leaves its connection to the next', async () => {
  // Some proxies answer with a page that is too long to lie in a buffer.
  const page = 'x'.repeat(100_000)
  await using server = await startTlsServer(serving, (seen, response) =>
    seen.token === 'right' ? response.end('{}') : response.writeHead(401).end(page),
  )
  let token: string | undefined
  const port = connected(server, {
    current: () => (token === undefined ? Promise.reject(new Error('the plugin failed')) : Promise.resolve({ token })),
    renew() {
      token = undefined
      return true
    },
  })
  for (let n = 0; n < 40; n += 1) {
    token = `wrong-${n}`
    await expect(ask(port)).rejects.toMatchObject({ message: 'the plugin failed', wasSent: false })
  }
  token = 'right'
  expect(await ask(port)).toMatchObject({ status: 200 })
  await port.close()
  expect(server.dialled).toBeLessThanOrEqual(2)
})

test('another refusal, as 403, is not about who we are', async () => {
  await using server = await startTlsServer(serving, (_seen, response) => response.writeHead(403).end())
  const port = connected(server, tokens('first', 'second'))
  expect(await ask(port)).toMatchObject({ status: 403 })
  await port.close()
  expect(tokensSeen(server)).toEqual(['first'])
})

test('whoever cannot say who we are is told in his own words, and nothing is sent', async () => {
  await using server = await startTlsServer(serving)
  const broken = { current: () => Promise.reject(new Error('cannot read the token x: ENOENT')), renew: () => true }
  const port = connected(server, broken)
  await expect(ask(port, aPost)).rejects.toMatchObject({ message: 'cannot read the token x: ENOENT', wasSent: false })
  await port.close()
  expect(server.dialled).toBe(0)
})
