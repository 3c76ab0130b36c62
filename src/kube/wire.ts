import { Agent, type Dispatcher } from 'undici'
import { minutes, seconds } from '../pure/duration.ts'
import type { Credentials } from './credentials.ts'
import { ConnectionError, type Port, type WireRequest } from './port.ts'

// What 32 parallel calls gain over fewer is all there is: the API server is no faster with more.
const maxConnections = 32
const callTimeout = seconds(30)

// The errors that undici and Node raise before a byte of the request has left.
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The real way to an API server: a bounded keep-alive pool for calls, and a connection of its own for each watch. */
export const connect = (credentials: Credentials): Port => {
  const { origin, pathname } = new URL(credentials.server)
  // A server behind a gateway may be reached below a path.
  const prefix = pathname.replace(/\/$/, '')
  const tls = { ca: credentials.ca, cert: credentials.cert, key: credentials.key }
  const shared = { allowH2: false, connect: tls, keepAliveTimeout: minutes(1), headersTimeout: callTimeout }
  const calls = new Agent({ ...shared, connections: maxConnections, bodyTimeout: callTimeout, clientTtl: minutes(10) })
  const watches = new Agent({ ...shared, connections: null, pipelining: 0, bodyTimeout: 0 })

  const request = async (agent: Agent, wire: WireRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const token = credentials.token
    try {
      return await agent.request({
        origin,
        path: `${prefix}${wire.path}${printQuery(wire.query)}`,
        method: wire.method,
        headers: {
          accept: wire.accept,
          'user-agent': 'holdfast',
          ...(wire.contentType === undefined ? {} : { 'content-type': wire.contentType }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: wire.body ?? null,
        // undici would close the connection after a DELETE that has a body, and ours all have one.
        reset: false,
        signal,
      })
    } catch (cause) {
      throw connectionError(cause)
    }
  }

  return {
    async call(wire, signal) {
      const { statusCode, headers, body } = await request(calls, wire, signal)
      try {
        return { status: statusCode, retryAfter: secondsOf(headers['retry-after']), body: await body.text() }
      } catch (cause) {
        throw connectionError(cause)
      }
    },
    async open(wire, signal) {
      const { statusCode, headers, body } = await request(watches, wire, signal)
      return { status: statusCode, retryAfter: secondsOf(headers['retry-after']), body }
    },
    async close() {
      await Promise.all([calls.destroy(), watches.destroy()])
    },
  }
}

const printQuery = (query: WireRequest['query']): string => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

const secondsOf = (header: string | string[] | undefined): number | undefined => {
  const value = Number(header)
  return header === undefined || Number.isNaN(value) ? undefined : value
}

const connectionError = (cause: unknown): ConnectionError => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection broken'
  return new ConnectionError(code, { wasSent: !notSentCodes.has(code), cause })
}
