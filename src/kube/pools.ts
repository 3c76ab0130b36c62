import { isDeepStrictEqual } from 'node:util'
import { Pool } from 'undici'
import { type Duration, minutes, seconds } from '../pure/duration.ts'
import type { TlsMaterial } from './credentials.ts'
import { ConnectionError } from './port.ts'

// What 32 parallel calls gain over fewer is all there is: the API server is no faster with more.
const maxConnections = 32

/** `calls` share a few connections, each watch has one of its own. */
export type Lane = 'calls' | 'watches'

type Lanes = Readonly<Record<Lane, Pool>>

/** The connections to one API server. They carry a TLS identity, so a new identity means new ones. */
export class Pools {
  readonly #origin: string
  readonly #longestLife: Duration
  /** Those that were replaced too, until the last request on them has ended. */
  readonly #open = new Set<Pool>()
  /** Errors of dialling: nothing was sent on a connection that never was. */
  readonly #dialErrors = new WeakSet<Error>()
  #current: { readonly tls: TlsMaterial; readonly lanes: Lanes } | undefined
  #isClosed = false

  constructor(origin: string, longestLife: Duration) {
    this.#origin = origin
    this.#longestLife = longestLife
  }

  poolFor(tls: TlsMaterial, lane: Lane): Pool {
    if (this.#isClosed) throw new ConnectionError('it was closed', { wasSent: false })
    if (this.#current === undefined || !isDeepStrictEqual(this.#current.tls, tls)) {
      for (const pool of Object.values(this.#current?.lanes ?? {})) this.#retire(pool)
      this.#current = { tls, lanes: this.#dial(tls) }
    }
    return this.#current.lanes[lane]
  }

  failedToDial(error: unknown): boolean {
    return error instanceof Error && this.#dialErrors.has(error)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#open].map((pool) => pool.destroy()))
  }

  #dial(tls: TlsMaterial): Lanes {
    // How long a request may take is for the wire to say, which knows what it asks for.
    const shared = {
      allowH2: false,
      // Said in so many words, because else an environment variable of Node could turn it off.
      connect: { ...tls, rejectUnauthorized: true, timeout: seconds(5) },
      keepAliveTimeout: minutes(1),
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    const calls = new Pool(this.#origin, { ...shared, connections: maxConnections, clientTtl: this.#longestLife })
    const watches = new Pool(this.#origin, { ...shared, connections: null, pipelining: 0 })
    for (const pool of [calls, watches]) {
      this.#open.add(pool)
      pool.on('connectionError', (_origin, _targets, error) => this.#dialErrors.add(error))
    }
    return { calls, watches }
  }

  #retire(pool: Pool): void {
    void pool.close().then(() => this.#open.delete(pool))
  }
}
