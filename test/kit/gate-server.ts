import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { WireRequest } from '../../src/kube/port.ts'
import type { Gate } from './gate.ts'

/** A gate for another process: an API server on loopback, as far as that process can tell. */
export const serveGate = async (gate: Gate): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const server = createServer((incoming, response) => {
    // What the gate throws is a broken connection on the other side.
    answer(gate, incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const answer = async (gate: Gate, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const request = await readRequest(incoming)
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  if (request.query['watch'] !== 'true') {
    const { status, retryAfter, body } = await gate.call(request, gone.signal)
    const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(body)
    return
  }
  const stream = await gate.open(request, gone.signal)
  response.writeHead(stream.status, { 'content-type': 'application/json' }).flushHeaders()
  for await (const chunk of stream.body) response.write(chunk)
  response.end()
}

const readRequest = async (incoming: IncomingMessage): Promise<WireRequest> => {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://gate')
  const body = await text(incoming)
  return {
    method: incoming.method as WireRequest['method'],
    path: pathname,
    query: Object.fromEntries(searchParams),
    accept: incoming.headers.accept ?? 'application/json',
    ...(incoming.headers['content-type'] === undefined ? {} : { contentType: incoming.headers['content-type'] }),
    ...(body === '' ? {} : { body }),
  }
}
