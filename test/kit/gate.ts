import { ConnectionError, type Port, type WireReply, type WireRequest, type WireStream } from '../../src/kube/port.ts'
import { GatedWatch } from './gated-watch.ts'
import { type Described, describeRequest } from './request.ts'

/** What a gate may do to a call instead of letting it pass. `pass` sends it on to the server. */
export type Interception = (pass: () => Promise<WireReply>) => Promise<WireReply>

/** The same for the opening of a watch. */
export type Opening = (pass: () => Promise<WireStream>) => Promise<WireStream>

export interface GateOptions {
  /** Sees every call before it goes out, and may come between. */
  readonly onCall: (request: WireRequest, described: Described) => Interception | undefined
  /** Sees every watch before it is opened, and may come between. */
  readonly onOpen?: (request: WireRequest, described: Described) => Opening | undefined
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
  readonly #watches = new Set<GatedWatch>()
  #inFlight = 0
  #calls = 0

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

  /** Ends the watches that are open: with this line, or in the middle. */
  endWatches(lastLine?: string): void {
    for (const watch of this.#watches) watch.end(lastLine)
  }

  /** From now on the watches that are open tell nothing, and do not end either. */
  muteWatches(): void {
    for (const watch of this.#watches) watch.isMute = true
  }

  get isMuting(): boolean {
    return [...this.#watches].some(({ isMute }) => isMute)
  }

  /** How many there were so far. */
  get calls(): number {
    return this.#calls
  }

  /** Whether an answer is on its way: to a call, or what there is at the beginning of a watch. */
  get isBusy(): boolean {
    return this.#inFlight > 0 || [...this.#watches].some(({ hasBegun }) => !hasBegun)
  }

  /** How many watches are on their way or open. */
  get watches(): number {
    return this.#watches.size
  }

  async call(request: WireRequest, signal: AbortSignal): Promise<WireReply> {
    this.#inFlight += 1
    this.#calls += 1
    try {
      return await this.#call(request, signal)
    } finally {
      this.#inFlight -= 1
    }
  }

  async #call(request: WireRequest, signal: AbortSignal): Promise<WireReply> {
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
    const described = describeRequest(request)
    const watch = new GatedWatch(request)
    const pass = () => this.#port.open(request, AbortSignal.any([signal, this.#death.signal, watch.ended]))
    const opening = this.#options.onOpen?.(request, described)
    this.#watches.add(watch)
    try {
      const stream = await (opening === undefined ? pass() : opening(pass))
      if (stream.status >= 300) this.#watches.delete(watch)
      return { ...stream, body: this.#gated(watch, stream.body, described.plural) }
    } catch (error) {
      this.#watches.delete(watch)
      throw error
    }
  }

  /** The connection behind it is everybody's, and stays. */
  close(): Promise<void> {
    this.kill()
    this.release()
    return Promise.resolve()
  }

  async *#gated(watch: GatedWatch, body: AsyncIterable<Uint8Array>, plural: string): AsyncGenerator<Uint8Array> {
    try {
      yield* watch.relay(body, async () => {
        await this.#held.get('*')?.promise
        await this.#held.get(plural)?.promise
        this.#assertAlive()
      })
    } finally {
      this.#watches.delete(watch)
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
