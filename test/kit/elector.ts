import type { Port } from '../../src/kube/port.ts'
import type { Log } from '../../src/runtime/log.ts'
import { Leadership } from '../../src/runtime/leadership.ts'
import { TurnedClock } from './turned-clock.ts'

/** A process that contends for a Lease. As a leader it does nothing until it is asked to end, or a test says so. */
export class Elector implements AsyncDisposable {
  readonly clock: TurnedClock
  readonly leadership: Leadership
  readonly logs: string[] = []
  /** One for each time that it was made leader: the signal that asks it to end. */
  readonly terms: AbortSignal[] = []
  /** Its work, which a test may end unasked. */
  work = Promise.withResolvers<unknown>()
  /** What it waits for before it ends when asked. */
  drain: Promise<unknown> = Promise.resolve()
  readonly ended: Promise<void>
  readonly #stop = new AbortController()

  constructor(port: Port, { clock = new TurnedClock(), lease = { namespace: 'holdfast', name: 'holdfast' } } = {}) {
    this.clock = clock
    const say = (_: object, message: string) => this.logs.push(message)
    const log: Log = { info: say, warn: say, error: say }
    this.leadership = new Leadership({ port, clock, log, lease })
    this.ended = this.leadership.run(async (until) => {
      this.terms.push(until)
      this.work = Promise.withResolvers()
      until.addEventListener('abort', this.work.resolve)
      await this.work.promise
      await this.drain
    }, this.#stop.signal)
    // A test that expects it to fail looks at it itself, perhaps later.
    this.ended.catch(() => undefined)
  }

  get identity(): string {
    return this.leadership.identity
  }

  get isLeading(): boolean {
    return this.terms.at(-1)?.aborted === false
  }

  /** Keeps it from ending until the returned function is called. */
  holdUp(): (value?: unknown) => void {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.drain = promise
    return resolve
  }

  stop(): void {
    this.#stop.abort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    await this.ended
  }
}
