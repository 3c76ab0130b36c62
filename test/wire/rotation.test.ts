import { beforeAll, expect, test, vi } from 'vitest'
import { type Authority, createAuthority } from '../../src/dev/control-plane/certificates.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { readKubeconfig } from '../../src/kube/kubeconfig.ts'
import { connect } from '../../src/kube/wire.ts'
import { seconds } from '../../src/pure/duration.ts'
import { aScratch } from '../control-plane/scratch.ts'
import { aKubeconfig } from '../fixtures/kubeconfig.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { aGet, ask } from './ask.ts'
import { type Answer, startTlsServer, type TlsServer } from './tls-server.ts'

let old: Authority
let young: Authority
beforeAll(async () => {
  ;[old, young] = await Promise.all([createAuthority(), createAuthority()])
})

const serving = (authority: Authority) => authority.issueServer('api', ['127.0.0.1'])
const client = (user: string) => old.issueClient({ user, group: 'g' })

/** Watches stay open, `say` lets them all speak. */
const watchable = () => {
  const watches = new Set<(line: string) => void>()
  const answer: Answer = (seen, response) => {
    if (seen.url !== '/watch') return void response.end('{}')
    response.writeHead(200).write('hello\n')
    watches.add((line) => response.write(line))
  }
  return { answer, say: (line: string) => watches.forEach((write) => write(line)) }
}

/** A port whose credentials are in files beside its kubeconfig. */
const connected = async (server: TlsServer, content: { readonly cluster?: object; readonly user?: object }) => {
  const scratch = await aScratch()
  await scratch.write('ca.pem', old.certificate)
  const cluster = { server: server.url, 'certificate-authority': 'ca.pem', ...content.cluster }
  const file = await scratch.write('config', aKubeconfig({ ...content, cluster }))
  const clock = new TurnedClock()
  const port = connect(readKubeconfig(file, clock), { clock })
  const watch = async () => {
    const { body } = await port.open({ ...aGet, path: '/watch' }, new AbortController().signal)
    const lines = body[Symbol.asyncIterator]()
    return { next: async () => Buffer.from((await lines.next()).value as Uint8Array).toString() }
  }
  return {
    port,
    watch,
    write: scratch.write,
    /** Long enough for every file to be read again. */
    wait: () => clock.turn(seconds(10)),
    async [Symbol.asyncDispose]() {
      await port.close()
      await scratch[Symbol.asyncDispose]()
    },
  }
}

test('a server with a certificate of a new CA is trusted as soon as the CA’s file has it', async () => {
  await using server = await startTlsServer(await serving(old), (_seen, response) =>
    response.setHeader('connection', 'close').end('{}'),
  )
  await using us = await connected(server, {})
  await ask(us.port)
  server.show(await serving(young))
  await expect(ask(us.port)).rejects.toMatchObject({ name: 'ConnectionError', wasSent: false })

  await us.write('ca.pem', young.certificate)
  us.wait()
  expect((await ask(us.port)).status).toBe(200)
})

test('a server that the old CA vouched for is not spoken to when the file has another', async () => {
  await using server = await startTlsServer(await serving(old))
  await using us = await connected(server, {})
  await ask(us.port)
  await us.write('ca.pem', young.certificate)
  us.wait()
  await expect(ask(us.port)).rejects.toMatchObject({ wasSent: false })
  expect(server.seen).toHaveLength(1)
})

test('an environment that asks Node to trust everybody changes nothing', async ({ onTestFinished }) => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  await using server = await startTlsServer(await serving(young))
  await using us = await connected(server, {})
  await expect(ask(us.port)).rejects.toMatchObject({ wasSent: false })
  expect(server.seen).toHaveLength(0)
})

test('a new client certificate is shown on new connections; calls and watches under the old one end by themselves', async () => {
  const { answer, say } = watchable()
  let release = (): void => undefined
  const held: Answer = (seen, response) => {
    if (seen.url !== '/held') return answer(seen, response)
    release = () => response.end('{"held":true}')
  }
  await using server = await startTlsServer(await serving(old), held, old.certificate)
  const user = { 'client-certificate': 'cert.pem', 'client-key': 'key.pem' }
  await using us = await connected(server, { user })
  const show = async (name: string) => {
    const { certificate, key } = await client(name)
    await us.write('cert.pem', certificate)
    await us.write('key.pem', key)
    us.wait()
  }
  await show('first')
  const watch = await us.watch()
  expect(await watch.next()).toBe('hello\n')
  const inFlight = ask(us.port, { ...aGet, path: '/held' })
  inFlight.catch(() => undefined)
  await eventually('the call has arrived', () => server.seen.some(({ url }) => url === '/held'))

  await show('second')
  await ask(us.port)
  expect(server.seen.map(({ url, client: who }) => `${url} ${who ?? ''}`)).toEqual([
    '/watch first',
    '/held first',
    '/x second',
  ])
  release()
  expect((await inFlight).body).toBe('{"held":true}')
  say('still here\n')
  expect(await watch.next()).toBe('still here\n')
  await eventually('only the watch is left of the old', () => server.open === 2)
  await us.port.close()
  await eventually('a closed port leaves none', () => server.open === 0)
})

test('a watch lives on while the token is replaced, and the next call carries the new one', async () => {
  const { answer, say } = watchable()
  await using server = await startTlsServer(await serving(old), answer)
  await using us = await connected(server, { user: { token: 'first', tokenFile: 'token' } })
  const watch = await us.watch()
  await watch.next()
  await ask(us.port)
  await us.write('token', 'second')
  us.wait()
  await ask(us.port)

  say('still here\n')
  expect(await watch.next()).toBe('still here\n')
  expect(server.seen.map(({ url, token, connection }) => [url, token, connection])).toEqual([
    ['/watch', 'first', 1],
    ['/x', 'first', 2],
    ['/x', 'second', 2],
  ])
})

test('tls-server-name is the name that is asked for and that the server’s certificate must have', async () => {
  await using server = await startTlsServer(await old.issueServer('api', []))
  await using plain = await connected(server, {})
  await using named = await connected(server, { cluster: { 'tls-server-name': 'localhost' } })
  await using misnamed = await connected(server, { cluster: { 'tls-server-name': 'somebody.else' } })

  await expect(ask(plain.port)).rejects.toMatchObject({ message: 'ERR_TLS_CERT_ALTNAME_INVALID', wasSent: false })
  await expect(ask(misnamed.port)).rejects.toMatchObject({ message: 'ERR_TLS_CERT_ALTNAME_INVALID', wasSent: false })
  await ask(named.port)
  expect(server.seen.map(({ servername }) => servername)).toEqual(['localhost'])
})

test('several groups to impersonate are several headers', async () => {
  await using server = await startTlsServer(await serving(old))
  await using us = await connected(server, { user: { as: 'jane', 'as-groups': ['dev', 'ops, and more'] } })
  await ask(us.port)
  expect(server.seen[0]?.headers.filter(([name]) => name === 'impersonate-group')).toEqual([
    ['impersonate-group', 'dev'],
    ['impersonate-group', 'ops, and more'],
  ])
})
