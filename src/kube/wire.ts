import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type Duration, minutes, seconds } from '../pure/duration.ts'
import { textOfChunks } from './chunks.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Credentials, Identity } from './credentials.ts'
import { type Lane, Pools } from './pools.ts'
import { ConnectionError, type Port, ReplyTooLarge, type WireRequest } from './port.ts'

// A write that hangs shall not outlast the lease under which it was begun. A list may be long.
const longestWrite = seconds(8)
const longestRead = seconds(30)

interface WireOptions {
  readonly clock?: Clock
  /** How old a connection may become: calls spread anew over the servers behind an address as theirs are replaced. */
  readonly oldestConnection?: Duration
}

/** One request on its way, with its second try. */
interface Attempt {
  readonly wire: WireRequest
  readonly lane: Lane
  /** Raised by whoever asked, or when it takes too long. */
  readonly signal: AbortSignal
  wasSent: boolean
}

type Response = Dispatcher.ResponseData

/** The real way to an API server: a bounded keep-alive pool for calls, and a connection of its own for each watch. */
export const connect = (
  credentials: Credentials,
  { clock = systemClock, oldestConnection = minutes(10) }: WireOptions = {},
): Port => {
  const { origin, pathname } = new URL(credentials.server)
  // A server behind a gateway may be reached below a path.
  const prefix = pathname.replace(/\/$/, '')
  const pools = new Pools(origin, oldestConnection)

  const sendAs = async (identity: Identity, attempt: Attempt): Promise<Response> => {
    const { wire, lane, signal } = attempt
    const pool = pools.poolFor(identity.tls, lane)
    attempt.wasSent = true
    try {
      return await pool.request({
        path: `${prefix}${wire.path}${printQuery(wire.query)}`,
        method: wire.method,
        headers: headersOf(wire, identity),
        body: wire.body ?? null,
        // undici would close the connection after a DELETE that has a body, and ours all have one.
        reset: false,
        signal,
      })
    } catch (cause) {
      throw connectionError(cause, !pools.failedToDial(cause))
    }
  }

  /** Once more, when the server did not know us and we are somebody else by now. */
  const send = async (attempt: Attempt): Promise<Response> => {
    const identity = await whoAreWe(credentials)
    const response = await sendAs(identity, attempt)
    if (response.statusCode !== 401 || !credentials.refused(identity)) return response
    attempt.wasSent = false
    const other = await whoAreWe(credentials).catch(async (error: unknown) => {
      // A reply that nobody reads would keep its connection.
      await response.body.dump()
      throw error
    })
    if (other === identity) return response
    await response.body.dump()
    return sendAs(other, attempt)
  }

  return {
    call: (wire, signal) =>
      within(clock, { wire, lane: 'calls', signal }, async (attempt) => {
        const response = await send(attempt)
        return { ...headOf(response), body: await textOf(response.body, wire.mostBytes) }
      }),
    open: (wire, signal) =>
      within(clock, { wire, lane: 'watches', signal }, async (attempt) => {
        const response = await send(attempt)
        return { ...headOf(response), body: chunksOf(response.body) }
      }),
    close: () => pools.close(),
  }
}

const headOf = ({ statusCode, headers }: Response) => ({
  status: statusCode,
  retryAfter: secondsOf(headers['retry-after']),
})

/** Ends with the caller's signal or when it takes too long, whatever the work is waiting for by then. */
const within = async <T>(
  clock: Clock,
  asked: Pick<Attempt, 'wire' | 'lane' | 'signal'>,
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> => {
  const limit = asked.wire.method === 'GET' ? longestRead : longestWrite
  const late = new AbortController()
  const signal = AbortSignal.any([asked.signal, late.signal])
  const attempt: Attempt = { ...asked, signal, wasSent: false }
  const ended = Promise.withResolvers<never>()
  const end = () => {
    const why = late.signal.aborted ? `no answer within ${limit / 1000} s` : 'it was called off'
    ended.reject(new ConnectionError(why, { wasSent: attempt.wasSent, cause: signal.reason }))
  }
  const callOff = clock.after(limit, () => late.abort())
  signal.addEventListener('abort', end)
  try {
    if (signal.aborted) end()
    return await Promise.race([ended.promise, work(attempt)])
  } finally {
    callOff()
    signal.removeEventListener('abort', end)
  }
}

const whoAreWe = async (credentials: Credentials): Promise<Identity> => {
  try {
    return await credentials.current()
  } catch (cause) {
    throw new ConnectionError(cause instanceof Error ? cause.message : String(cause), { wasSent: false, cause })
  }
}

const textOf = async (body: Response['body'], mostBytes: number | undefined): Promise<string> => {
  try {
    const text = mostBytes === undefined ? await body.text() : await boundedTextOf(body, mostBytes)
    // undici takes a connection back a turn later. Whoever asks again before would get another one.
    await nextTurn()
    return text
  } catch (cause) {
    throw cause instanceof ReplyTooLarge ? cause : connectionError(cause, true)
  }
}

const boundedTextOf = async (body: Response['body'], mostBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    // Leaving the loop ends the connection, and with it the rest of the reply.
    if (bytes > mostBytes) throw new ReplyTooLarge(mostBytes)
    chunks.push(chunk)
  }
  return textOfChunks(chunks)
}

const chunksOf = async function* (body: Response['body']): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw connectionError(cause, true)
  }
}

const headersOf = ({ accept, contentType }: WireRequest, identity: Identity): string[] => [
  ...['accept', accept],
  ...['user-agent', 'holdfast'],
  ...(contentType === undefined ? [] : ['content-type', contentType]),
  ...identity.headers.flat(),
]

const printQuery = (query: WireRequest['query']): string => {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

const secondsOf = (header: string | string[] | undefined): number | undefined => {
  const value = Number(header)
  return header === undefined || Number.isNaN(value) ? undefined : value
}

/** Tells the code alone: the words of a library may quote what was sent. */
const connectionError = (cause: unknown, wasSent: boolean): ConnectionError => {
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'connection broken'
  return new ConnectionError(code, { wasSent, cause })
}
