import { ConnectionError, type WireRequest } from '../../src/kube/port.ts'

const initialEventsEnd = 'k8s.io/initial-events-end'

/** One watch that goes through a gate, from its request to its end. */
export class GatedWatch {
  readonly #end = new AbortController()
  #lastLine: string | undefined
  /** Whether it has told all that there was when it was asked to: until then its reader waits for the rest. */
  #hasBegun: boolean
  /** It stays open and tells nothing any more. */
  isMute = false

  constructor({ query }: WireRequest) {
    this.#hasBegun = query['sendInitialEvents'] === undefined
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get ended(): AbortSignal {
    return this.#end.signal
  }

  /** Breaks the connection, or ends it properly with this line. */
  end(lastLine?: string): void {
    this.#lastLine = lastLine
    this.#end.abort(new ConnectionError('cut', { wasSent: true }))
  }

  async *relay(body: AsyncIterable<Uint8Array>, whenFree: () => Promise<void>): AsyncGenerator<Uint8Array> {
    let end = ''
    try {
      for await (const chunk of body) {
        await whenFree()
        if (this.isMute) continue
        yield chunk
        // The mark may lie across two chunks.
        const told = end + Buffer.from(chunk).toString('latin1')
        end = told.slice(-initialEventsEnd.length)
        if (told.includes(initialEventsEnd)) this.#hasBegun = true
      }
    } catch (error) {
      if (this.#lastLine === undefined) throw error
      yield Buffer.from(`${this.#lastLine}\n`)
    }
  }
}
