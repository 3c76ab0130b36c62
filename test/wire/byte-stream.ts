/** Bytes that come when they come, until somebody ends them. */
export class ByteStream implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = []
  readonly #signal: AbortSignal
  #wake: () => void = () => undefined
  #end: { readonly error: unknown } | 'clean' | undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake(), { once: true })
  }

  get hasEnded(): boolean {
    return this.#end !== undefined || this.#signal.aborted
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#wake()
  }

  /** The server ends it, or with an error: the link breaks. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? 'clean' : { error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.#signal.throwIfAborted()
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) yield chunk
      else if (this.#end === 'clean') return
      else if (this.#end !== undefined) throw this.#end.error
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }
}
