import { ConnectionError, type Port, type WireReply, type WireRequest, type WireStream } from '../../src/kube/port.ts'
import { type Described, describeRequest } from './request.ts'

/** What a gate may do to a call instead of letting it pass. `pass` sends it on to the server. */
export type Interception = (pass: () => Promise<WireReply>) => Promise<WireReply>

export interface GateOptions {
  /** Sees every call before it goes out, and may come between. */
  readonly onCall: (request: WireRequest, described: Described) => Interception | undefined
}

/** Ends the operator for good, where there is more to end than its connection. */
export type Executioner = () => void

/** Stands between an operator and the API server: counts, refuses, cuts, holds back, and kills. */
export class Gate implements Port {
  readonly #port: Port
  readonly #options: GateOptions
  readonly #death = new AbortController()
  /** Plurals whose watch lines are held back; `*` is everything. */
  readonly #held = new Map<string, PromiseWithResolvers<void>>()

  constructor(port: Port, options: GateOptions, execute: Executioner = () => undefined) {
    this.#port = port
    this.#options = options
    this.#death.signal.addEventListener('abort', execute)
  }

  get isKilled(): boolean {
    return this.#death.signal.aborted
  }

  /** From now on the operator behind this gate is dead: nothing it sends arrives and nothing reaches it. */
  kill(): void {
    this.#death.abort(new ConnectionError('killed', { wasSent: false }))
  }

  hold(plural: string): void {
    if (!this.#held.has(plural)) this.#held.set(plural, Promise.withResolvers())
  }

  /** Lets go of one kind's lines, or of everything. */
  release(plural?: string): void {
    for (const [held, { resolve }] of this.#held) {
      if (plural !== undefined && held !== plural) continue
      this.#held.delete(held)
      resolve()
    }
  }

  get isHolding(): boolean {
    return this.#held.size > 0
  }

  async call(request: WireRequest, signal: AbortSignal): Promise<WireReply> {
    await this.#held.get('*')?.promise
    this.#assertAlive()
    const pass = () => this.#port.call(request, signal)
    const interception = this.#options.onCall(request, describeRequest(request))
    const reply = await orCalledOff(signal, interception === undefined ? pass() : interception(pass))
    this.#assertAlive()
    return reply
  }

  async open(request: WireRequest, signal: AbortSignal): Promise<WireStream> {
    this.#assertAlive()
    const stream = await this.#port.open(request, AbortSignal.any([signal, this.#death.signal]))
    return { ...stream, body: this.#gated(stream.body, describeRequest(request).plural) }
  }

  /** The connection behind it is everybody's, and stays. */
  close(): Promise<void> {
    this.kill()
    this.release()
    return Promise.resolve()
  }

  async *#gated(body: AsyncIterable<Uint8Array>, plural: string): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      await this.#held.get('*')?.promise
      await this.#held.get(plural)?.promise
      this.#assertAlive()
      yield chunk
    }
  }

  #assertAlive(): void {
    this.#death.signal.throwIfAborted()
  }
}

/** Whatever a gate does to a call, it ends with its signal, as on a real connection. */
const orCalledOff = async (signal: AbortSignal, reply: Promise<WireReply>): Promise<WireReply> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(new ConnectionError('called off', { wasSent: true }))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([reply, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
