import { ConnectionError, type WireReply, type WireRequest, type WireStream } from '../../src/kube/port.ts'
import type { Interception, Opening } from '../kit/gate.ts'
import type { Described } from '../kit/request.ts'

export type Mishap = 410 | 429 | 500 | 'cut'

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
}

const statusBody = (code: number, message: string) => ({ kind: 'Status', reason: reasons[code], code, message })

/** Refused in the words of a server that quotes what it was sent. */
export const refuse = (status: number, sent = ''): Promise<WireReply> =>
  Promise.resolve({
    status,
    retryAfter: status === 429 ? 1 : undefined,
    body: JSON.stringify(statusBody(status, `invalid: ${sent}`)),
  })

/** The last line of a watch whose version the server no longer has. */
export const expiredLine = JSON.stringify({ type: 'ERROR', object: statusBody(410, 'too old resource version') })

/** What befalls the requests by which informers list and watch. */
export class Mishaps {
  #row: readonly Mishap[] = []
  readonly #times = new Map<string, number>()
  #hasExpired = false
  readonly #takenInSince = new Set<string>()

  /** From now on no watch can go on from where it was: everything must be taken in first. */
  expire(): void {
    this.#hasExpired = true
    this.#takenInSince.clear()
  }

  /** From now on every sort of request meets the whole row, one after the other. */
  begin(...row: readonly Mishap[]): void {
    this.#row = row
  }

  /** Whether it has begun, and nobody ever met anything. */
  get isUnmet(): boolean {
    return this.#row.length > 0 && this.#times.size === 0
  }

  onCall(wire: WireRequest, { verb }: Described): Interception | undefined {
    // Only informers take in a list by pages; a live look is a read like any other.
    if (verb !== 'list' || wire.query['limit'] === undefined) return undefined
    const mishap = this.#next(wire)
    if (mishap === undefined) return undefined
    return mishap === 'cut' ? cutReply : () => refuse(mishap)
  }

  onOpen(wire: WireRequest): Opening | undefined {
    const mishap = this.#next(wire)
    if (mishap === undefined) return undefined
    if (mishap === 'cut') return cutStream
    if (mishap === 410) return () => Promise.resolve(streamOf(200, `${expiredLine}\n`))
    return () => Promise.resolve(streamOf(mishap))
  }

  #next({ path, query }: WireRequest): Mishap | undefined {
    const sort = [path, query['watch'], query['fieldSelector']].join(' ')
    const times = this.#times.get(sort) ?? 0
    const mishap = this.#row[times]
    if (mishap !== undefined) this.#times.set(sort, times + 1)
    else if (query['watch'] === undefined || query['sendInitialEvents'] !== undefined) this.#takenInSince.add(path)
    else if (this.#hasExpired && !this.#takenInSince.has(path)) return 410
    return mishap
  }
}

export const cutReply: Interception = async (pass) => {
  await pass()
  throw new ConnectionError('cut', { wasSent: true })
}

/** Part of it is told, and then no more. */
const cutStream: Opening = async (pass) => {
  const stream = await pass()
  return { ...stream, body: firstOf(stream.body) }
}

const firstOf = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk.subarray(0, chunk.length / 2)
    throw new ConnectionError('cut', { wasSent: true })
  }
}

const streamOf = (status: number, line = ''): WireStream => ({
  status,
  retryAfter: status === 429 ? 1 : undefined,
  body: (async function* () {
    yield await Promise.resolve(Buffer.from(line))
  })(),
})
