import { expect, test } from 'vitest'
import type { Informer } from '../../src/kube/informer.ts'
import { aLine, type Misfortune, SocketServer } from './socket-server.ts'

const versionOf = ({ store }: Informer) => store.get('a/n')?.metadata.resourceVersion
const half = Buffer.from(aLine('m', 300)).subarray(0, 60)

test.for<{ fate: string; misfortune: Misfortune }>([
  {
    fate: 'is reset in the middle of a line',
    misfortune: (socket, response) => response.write(half, () => socket.resetAndDestroy()),
  },
  {
    fate: 'is closed in the middle of a line',
    misfortune: (socket, response) => response.write(half, () => socket.destroy()),
  },
  { fate: 'breaks off in the middle of a chunk', misfortune: (socket) => socket.end('40\r\n{"type":"ADD') },
  { fate: 'goes on with what is no HTTP', misfortune: (socket) => socket.end('hello\r\n') },
  { fate: 'is ended properly', misfortune: (_, response) => response.end() },
  { fate: 'is ended properly in the middle of a line', misfortune: (_, response) => response.end(half) },
  { fate: 'is half closed', misfortune: (socket) => socket.end() },
  { fate: 'stalls', misfortune: () => undefined },
  { fate: 'stalls in the middle of a line', misfortune: (_, response) => response.write(half) },
])('a watch whose connection $fate is followed by the next, and nothing is lost', async ({ misfortune }) => {
  await using server = new SocketServer([misfortune])
  const informer = await server.inform()
  await informer.synced
  expect(versionOf(informer)).toBe('101')
  await server.until('the next watch has told', () => versionOf(informer) !== '101')
  expect(informer.store.list()).toHaveLength(1)
  await server.until('the connection of the first is gone', () => server.sockets.size <= 2)
})

test('lines that come byte by byte are lines', async () => {
  const bytes = [...Buffer.from(aLine('m', 300))]
  const drip: Misfortune = (socket, response) => {
    socket.setNoDelay(true)
    const next = () => {
      const byte = bytes.shift()
      if (byte !== undefined) response.write(Uint8Array.of(byte), next)
    }
    next()
  }
  await using server = new SocketServer([drip])
  const informer = await server.inform()
  await server.until('it is there', () => informer.store.get('a/m') !== undefined)
  expect(informer.store.get('a/m')).toMatchObject({ data: { text: 'ä€😀' } })
})

test('a watch that is stopped leaves no connection', async () => {
  await using server = new SocketServer([])
  const informer = await server.inform()
  await informer.synced
  expect(server.sockets.size).toBe(1)
  server.stop()
  await server.until('it is closed', () => server.sockets.size === 0)
})

test('watches that broke leave no connection behind', async () => {
  const broken = Array.from({ length: 20 }, (): Misfortune => (socket) => socket.resetAndDestroy())
  await using server = new SocketServer(broken)
  await server.inform()
  await server.until('all have broken', () => server.watches > broken.length)
  await server.until('the connections of all but the last are gone', () => server.sockets.size === 1)
})
