import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import { seconds } from '../pure/duration.ts'
import type { Health } from './health.ts'

export interface Serving {
  /** An IPv4 or IPv6 address of the host; absent: all of them. */
  readonly address?: string | undefined
  /** 0: any that is free. */
  readonly port: number
  readonly health: Health
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
  /** Says what went wrong; it goes on serving. */
  readonly onTrouble: (error: unknown) => void
}

export interface Served {
  readonly address: AddressInfo
  /** Ends what waits for a request at once; what is being answered is answered. */
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly contentType?: string
  readonly text: string
}

// Nobody who asks in earnest is slower.
const longestQuiet = seconds(10)

/** Serves /healthz, /readyz and /metrics. */
export const serve = async (serving: Serving): Promise<Served> => {
  const server = createServer((request, response) => void respond(request, response, serving))
  server.timeout = longestQuiet
  server.headersTimeout = longestQuiet
  server.requestTimeout = longestQuiet
  const idle = idleSocketsOf(server)
  await listen(server, serving)
  server.on('error', serving.onTrouble)
  return {
    address: server.address() as AddressInfo,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of idle) socket.destroy()
      await closed
    },
  }
}

const listen = async (server: Server, { address, port }: Serving): Promise<void> => {
  try {
    await once(server.listen({ port, ...(address !== undefined && { host: address }) }), 'listening')
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
    const [where, what] =
      address === undefined ? [`port ${port}`, 'port'] : [printAddress(address, port), 'address or port']
    throw new Error(`cannot serve probes and metrics on ${where}: ${why}; choose another ${what}`, { cause })
  }
}

const printAddress = (address: string, port: number): string => `${isIPv6(address) ? `[${address}]` : address}:${port}`

/** Connections on which nothing has been asked yet. After an answer there are none: each is closed with it. */
const idleSocketsOf = (server: Server): ReadonlySet<Socket> => {
  const idle = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => idle.delete(socket))
  return idle
}

/** Whatever goes wrong in here stays in here, and says nothing of itself to whoever asks. */
const respond = async (request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> => {
  const {
    status,
    text,
    contentType = 'text/plain; charset=utf-8',
  } = await answerTo(request, serving).catch((error: unknown): Answer => {
    serving.onTrouble(error)
    return { status: 500, text: 'this cannot be told now: the log says why\n' }
  })
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  }
  response.on('error', serving.onTrouble)
  response.writeHead(status, headers).end(text)
}

const answerTo = async ({ method, url = '' }: IncomingMessage, { health, metrics }: Serving): Promise<Answer> => {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'only GET and HEAD\n' }
  switch (url.replace(/\?.*/s, '')) {
    case '/healthz': {
      const collapse = health.collapse()
      return collapse === undefined ? { status: 200, text: 'ok\n' } : { status: 500, text: `${collapse}\n` }
    }
    case '/readyz': {
      const obstacles = health.obstacles()
      if (obstacles.length === 0) return { status: 200, text: 'ok\n' }
      return { status: 503, text: obstacles.map((obstacle) => `${obstacle}\n`).join('') }
    }
    case '/metrics':
      return { status: 200, contentType: metrics.contentType, text: await metrics.text() }
    default:
      return { status: 404, text: 'there are only /healthz, /readyz and /metrics\n' }
  }
}
