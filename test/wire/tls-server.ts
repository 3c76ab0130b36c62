import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { KeyAndCertificate } from '../../src/dev/control-plane/certificates.ts'

export interface Seen {
  readonly method: string
  readonly url: string
  /** As they came, so that repeated ones can be told apart. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly token: string | undefined
  /** Who the client's certificate says it is. */
  readonly client: string | undefined
  /** The name that the client asked for while it dialled. */
  readonly servername: string | false | null
  /** The number of its connection, counted from 1. */
  readonly connection: number
}

export type Answer = (seen: Seen, response: ServerResponse) => void

export interface TlsServer extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly Seen[]
  /** How many connections there have ever been, and how many there are. */
  readonly dialled: number
  readonly open: number
  /** From now on it shows this certificate to whoever dials. */
  show(certificate: KeyAndCertificate): void
}

const answerOk: Answer = (_seen, response) => response.end('{}')

/** A server that tells what came over the wire. With `clients`, it lets in only those whom that authority vouches for. */
export const startTlsServer = async (
  certificate: KeyAndCertificate,
  answer: Answer = answerOk,
  clients?: string,
): Promise<TlsServer> => {
  const tls = ({ key, certificate: cert }: KeyAndCertificate) => ({
    key,
    cert,
    ...(clients === undefined ? {} : { ca: clients, requestCert: true, rejectUnauthorized: true }),
  })
  const seen: Seen[] = []
  const numbers = new Map<TLSSocket, number>()
  let open = 0
  const server = createServer({ ...tls(certificate), keepAliveTimeout: 120_000 }, (incoming, response) => {
    const one = describe(incoming, numbers.get(incoming.socket as TLSSocket) ?? 0)
    seen.push(one)
    incoming.resume().once('end', () => answer(one, response))
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    numbers.set(socket, numbers.size + 1)
    open += 1
    socket.once('close', () => (open -= 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    get dialled() {
      return numbers.size
    },
    get open() {
      return open
    },
    show: (next) => server.setSecureContext(tls(next)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const describe = (incoming: IncomingMessage, connection: number): Seen => {
  const socket = incoming.socket as TLSSocket & { servername: string | false | null }
  const { rawHeaders, headers, method = '', url = '' } = incoming
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  )
  const subject = socket.getPeerCertificate().subject as { readonly CN?: string } | undefined
  return {
    method,
    url,
    headers: pairs,
    token: headers.authorization?.replace('Bearer ', ''),
    client: subject?.CN,
    servername: socket.servername,
    connection,
  }
}
