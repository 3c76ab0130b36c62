import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serve, type Served, type Serving } from './serve.ts'

const started = async (facts: Partial<Serving> = {}): Promise<Served & { readonly troubles: unknown[] }> => {
  const troubles: unknown[] = []
  const served = await serve({
    port: 0,
    health: { collapse: () => undefined, obstacles: () => [] },
    metrics: { contentType: 'text/plain; version=0.0.4', text: () => Promise.resolve('up 1\n') },
    onTrouble: (error) => troubles.push(error),
    ...facts,
  })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await served.close()
    isClosed = true
  }
  onTestFinished(close)
  return { ...served, close, troubles }
}

const ask = async ({ address }: Served, path: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${address.port}${path}`, { method })
  return { status: response.status, body: await response.text(), headers: response.headers }
}

const dial = async ({ address }: Served): Promise<Socket> => {
  const socket = connect(address.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Resolves when the connection is over, gently or not. */
const endOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .on('close', () => resolve())
      .resume(),
  )

test('a process that is well says so', async () => {
  const served = await started()
  expect(await ask(served, '/healthz')).toMatchObject({ status: 200, body: 'ok\n' })
  expect(await ask(served, '/readyz?verbose')).toMatchObject({ status: 200, body: 'ok\n' })
})

test.for([
  { address: undefined, elsewhere: 'answers' },
  { address: '0.0.0.0', elsewhere: 'answers' },
  { address: '127.0.0.1', elsewhere: 'ECONNREFUSED' },
])('on the address $address, another address of the host: $elsewhere', async ({ address, elsewhere }) => {
  const served = await started({ address })
  expect(await ask(served, '/healthz')).toMatchObject({ status: 200 })
  const other = fetch(`http://127.0.0.2:${served.address.port}/healthz`).then(
    () => 'answers',
    (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code,
  )
  expect(await other).toBe(elsewhere)
})

test('an IPv6 address is listened on alone', async () => {
  const served = await started({ address: '::1' })
  expect(served.address).toMatchObject({ address: '::1', family: 'IPv6' })
  expect((await fetch(`http://[::1]:${served.address.port}/healthz`)).status).toBe(200)
  await expect(ask(served, '/healthz')).rejects.toThrow()
})

test.for([
  { address: '192.0.2.1', where: '192.0.2.1:0' },
  { address: '2001:db8::1', where: '[2001:db8::1]:0' },
])('an address that is not the host’s, $address, is named in the error', async ({ address, where }) => {
  await expect(started({ address })).rejects.toThrow(
    `cannot serve probes and metrics on ${where}: EADDRNOTAVAIL; choose another address or port`,
  )
})

test('a process that has collapsed is not healthy, and says why', async () => {
  const served = await started({ health: { collapse: () => 'a watch ended', obstacles: () => [] } })
  expect(await ask(served, '/healthz')).toMatchObject({ status: 500, body: 'a watch ended\n' })
})

test('a process that does not see everything is not ready, and says why in a line each', async () => {
  const served = await started({ health: { collapse: () => undefined, obstacles: () => ['Secret: no', 'Lease: no'] } })
  expect(await ask(served, '/readyz')).toMatchObject({ status: 503, body: 'Secret: no\nLease: no\n' })
  expect(await ask(served, '/healthz')).toMatchObject({ status: 200 })
})

test('metrics are served as Prometheus wants them', async () => {
  const { status, body, headers } = await ask(await started(), '/metrics')
  expect({ status, body }).toEqual({ status: 200, body: 'up 1\n' })
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4')
})

test('whoever asks for the head gets the head', async () => {
  const { status, body, headers } = await ask(await started(), '/metrics', 'HEAD')
  expect({ status, body, length: headers.get('content-length') }).toEqual({ status: 200, body: '', length: '5' })
})

test.for(['/', '/healthz/x', '/metrics/', '/favicon.ico'])('there is nothing at %s', async (path) => {
  expect((await ask(await started(), path)).status).toBe(404)
})

test.for(['POST', 'PUT', 'DELETE', 'OPTIONS'])('nobody can %s anything', async (method) => {
  const { status, headers } = await ask(await started(), '/healthz', method)
  expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
})

test('what goes wrong is told to the log, not to whoever asks, and the next is served', async () => {
  const fault = new Error('the token is open-sesame')
  const served = await started({ metrics: { contentType: 'text/plain', text: () => Promise.reject(fault) } })
  const { status, body } = await ask(served, '/metrics')
  expect({ status, body }).toEqual({ status: 500, body: 'this cannot be told now: the log says why\n' })
  expect(served.troubles).toEqual([fault])
  expect((await ask(served, '/healthz')).status).toBe(200)
})

test.for([
  { what: 'no HTTP', bytes: '\x16\x03\x01 hello\r\n\r\n' },
  { what: 'a path that is none', bytes: 'GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n' },
  { what: 'headers without end', bytes: `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n` },
])('whoever sends $what harms nobody', async ({ bytes }) => {
  const served = await started()
  const socket = await dial(served)
  socket.write(bytes)
  await endOf(socket)
  expect((await ask(served, '/healthz')).status).toBe(200)
})

test('whoever hangs up in the middle harms nobody', async () => {
  const asked = Promise.withResolvers<undefined>()
  const answer = Promise.withResolvers<string>()
  const waitForAnswer = () => {
    asked.resolve(undefined)
    return answer.promise
  }
  const served = await started({ metrics: { contentType: 'text/plain', text: waitForAnswer } })
  const socket = await dial(served)
  socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n')
  await asked.promise
  socket.resetAndDestroy()
  await endOf(socket)
  answer.resolve('up 1\n')
  expect((await ask(served, '/healthz')).status).toBe(200)
})

test('a connection on which nothing is asked does not hold up the end', async () => {
  const served = await started()
  const sockets = await Promise.all([dial(served), dial(served)])
  sockets[0].write('GET /hea')
  const ends = sockets.map(endOf)
  await served.close()
  await Promise.all(ends)
}, 5_000)

test('what is being answered at the end is answered', async () => {
  const asked = Promise.withResolvers<undefined>()
  const answer = Promise.withResolvers<string>()
  const waitForAnswer = () => {
    asked.resolve(undefined)
    return answer.promise
  }
  const served = await started({ metrics: { contentType: 'text/plain', text: waitForAnswer } })
  const reply = ask(served, '/metrics')
  await asked.promise
  const closed = served.close()
  answer.resolve('up 2\n')
  expect(await reply).toMatchObject({ status: 200, body: 'up 2\n' })
  await closed
})

test('a port that is taken is named, with what to do', async () => {
  const { address } = await started()
  await expect(started({ port: address.port })).rejects.toThrow(
    `cannot serve probes and metrics on port ${address.port}: EADDRINUSE; choose another port`,
  )
})
