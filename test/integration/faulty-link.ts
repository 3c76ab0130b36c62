import { linesOf } from '../../src/kube/lines.ts'
import { ConnectionError, type Port, type WireReply, type WireRequest, type WireStream } from '../../src/kube/port.ts'
import { ByteStream } from '../wire/byte-stream.ts'

export const requestFaults = ['break', '500', '429', 'expired', 'no answer', 'from an old version'] as const
export const streamFaults = [
  'cut',
  'end',
  'expired',
  'black hole',
  'hold',
  'the last again',
  'everything again',
] as const
type RequestFault = (typeof requestFaults)[number]
type StreamFault = (typeof streamFaults)[number]

/** One watch on its way from the server. */
class Stream {
  readonly body: ByteStream
  readonly #seen: string[] = []
  readonly #held: string[] = []
  #flow: 'flows' | 'held' | 'lost' = 'flows'
  #tellsAll: boolean

  constructor(lines: AsyncIterable<string>, tellsAll: boolean, signal: AbortSignal) {
    this.body = new ByteStream(signal)
    this.#tellsAll = tellsAll
    this.#pump(lines).catch(() => this.body.end(broken()))
  }

  /** False when there was nothing for the fault to happen to. */
  suffer(fault: StreamFault): boolean {
    if (this.body.hasEnded || this.#flow === 'lost') return false
    switch (fault) {
      case 'cut':
        this.body.end(broken())
        return true
      case 'end':
        this.body.end()
        return true
      case 'expired':
        this.#send(JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }))
        return true
      case 'black hole':
        this.#flow = 'lost'
        return true
      case 'hold':
        this.#flow = 'held'
        return true
      case 'the last again':
        return this.#again(-1)
      case 'everything again':
        return this.#again(0)
      default:
        return fault satisfies never
    }
  }

  release(): void {
    if (this.#flow === 'held') this.#flow = 'flows'
    for (const line of this.#held.splice(0)) this.#send(line)
  }

  async #pump(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      if (this.#flow === 'held') this.#held.push(line)
      else if (this.#flow === 'flows') this.#send(line)
    }
    this.body.end()
  }

  #again(from: number): boolean {
    const again = this.#seen.slice(from)
    for (const line of again) this.#send(line)
    return again.length > 0
  }

  #send(line: string): void {
    // No server tells anything twice before it has told everything.
    if (!this.#tellsAll) this.#seen.push(line)
    if (line.includes('"k8s.io/initial-events-end":"true"')) this.#tellsAll = false
    this.body.push(Buffer.from(`${line}\n`))
  }
}

/** The way to a real API server, with what can go wrong on it. */
export class FaultyLink implements Port {
  /** How many faults have happened, by name. */
  readonly fired = new Map<string, number>()
  readonly #port: Port
  readonly #oldVersion: string
  #faults: RequestFault[] = []
  #stream: Stream | undefined

  constructor(port: Port, oldVersion: string) {
    this.#port = port
    this.#oldVersion = oldVersion
  }

  /** What happens to the next request. */
  arm(fault: RequestFault): void {
    this.#faults.push(fault)
  }

  /** Happens to the watch now. */
  suffer(fault: StreamFault): void {
    if (this.#stream?.suffer(fault) === true) this.#count(`watch: ${fault}`)
  }

  /** No more faults, and what was held back arrives. */
  heal(): void {
    this.#faults = []
    this.#stream?.release()
  }

  async call(request: WireRequest, signal: AbortSignal): Promise<WireReply> {
    return (await this.#refusal(this.#next())) ?? this.#port.call(request, signal)
  }

  async open(request: WireRequest, signal: AbortSignal): Promise<WireStream> {
    const fault = this.#next()
    const refusal = await this.#refusal(fault, signal)
    if (refusal !== undefined) return { ...refusal, body: new ByteStream(AbortSignal.abort()) }
    const isOld = fault === 'from an old version' && request.query['resourceVersion'] !== undefined
    const query = isOld ? { ...request.query, resourceVersion: this.#oldVersion } : request.query
    const { body, ...reply } = await this.#port.open({ ...request, query }, signal)
    this.#stream = new Stream(
      linesOf(body, (line) => line),
      query['sendInitialEvents'] === 'true',
      signal,
    )
    return { ...reply, body: this.#stream.body }
  }

  /** The connection behind it is everybody's, and stays. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  #next(): RequestFault | undefined {
    const fault = this.#faults.shift()
    if (fault !== undefined) this.#count(`request: ${fault}`)
    return fault
  }

  async #refusal(fault: RequestFault | undefined, signal?: AbortSignal): Promise<WireReply | undefined> {
    // A call that nobody answers ends by its own time limit.
    if (fault === 'break' || (fault === 'no answer' && signal === undefined)) throw broken()
    if (fault === '500') return { status: 500, retryAfter: undefined, body: '' }
    if (fault === '429') return { status: 429, retryAfter: 2, body: '' }
    if (fault === 'expired') return { status: 410, retryAfter: undefined, body: '' }
    if (fault === 'no answer') {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
    }
    return undefined
  }

  #count(fault: string): void {
    this.fired.set(fault, (this.fired.get(fault) ?? 0) + 1)
  }
}

const broken = () => new ConnectionError('cut', { wasSent: true })
