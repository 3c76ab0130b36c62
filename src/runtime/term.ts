import type { Clock } from '../kube/clock.ts'
import { type Duration, milliseconds, seconds } from '../pure/duration.ts'

export interface LeaseTimes {
  /** How long the others leave the Lease alone after it last changed. */
  readonly lease: Duration
  /** When a term ends, counted from the sending of the last renewal that succeeded. */
  readonly deadline: Duration
  /** From one renewal to the next, and at most from one look of a candidate to the next. */
  readonly renewal: Duration
  /** How long a call about the Lease may take. */
  readonly write: Duration
}

/** The last seconds of a lease are spent by nobody: they make up for clocks that run at different speeds. */
export const leaseTimes: LeaseTimes = {
  lease: seconds(15),
  deadline: seconds(12),
  renewal: seconds(2),
  write: seconds(8),
}

// More than a wall clock is ever slewed by within a term.
const mostDrift = seconds(1)

/** Both clocks at one moment. */
export interface Moment {
  readonly now: number
  readonly elapsed: number
}

export const momentOn = (clock: Clock): Moment => ({ now: clock.now(), elapsed: clock.elapsed() })

/** This process may not write, and will not be allowed to by waiting. */
export class LeadershipLost extends Error {
  constructor(why: string) {
    super(`this process does not lead: ${why}`)
    this.name = 'LeadershipLost'
  }
}

/** One uninterrupted time of leadership. Whether it still lasts is read off the clocks whenever somebody asks. */
export class Term {
  readonly #clock: Clock
  readonly #span: Duration
  readonly #loss = new AbortController()
  readonly #waiting = new Set<() => void>()
  /** When the last renewal that succeeded was sent. */
  #sent: Moment
  #isClosed = false
  #callOff: () => void = () => undefined

  constructor(clock: Clock, { deadline }: Pick<LeaseTimes, 'deadline'>, sent: Moment) {
    this.#clock = clock
    this.#span = deadline
    this.#sent = sent
    this.look()
    this.#watchDeadline()
  }

  /** Raised when the term is lost; the reason says why. */
  get lost(): AbortSignal {
    return this.#loss.signal
  }

  /** Whether what takes so long may start now: it will have ended before the deadline. */
  permit(timeout: Duration): boolean {
    this.look()
    return !this.lost.aborted && !this.#isClosed && this.#clock.elapsed() + timeout < this.#deadline
  }

  /** Waits for renewals until it may start; fails when the term is over. */
  async permitted(timeout: Duration, signal: AbortSignal): Promise<void> {
    if (timeout >= this.#span) {
      throw new RangeError(`nothing that may take ${timeout} ms can end within ${this.#span} ms after a renewal`)
    }
    for (;;) {
      signal.throwIfAborted()
      if (this.permit(timeout)) return
      this.lost.throwIfAborted()
      if (this.#isClosed) throw new LeadershipLost('the Lease is being released')
      await this.#change(signal)
    }
  }

  /** A renewal that was sent then has succeeded. It does not bring back what was lost before it was known. */
  renewed(sent: Moment): void {
    this.look()
    if (this.lost.aborted) return
    this.#sent = sent
    this.look()
    this.#watchDeadline()
    this.#wake()
  }

  /** Compares the clocks with what they were. Timers can be late, and do not run while the host sleeps. */
  look(): void {
    const { now, elapsed } = momentOn(this.#clock)
    const drift = now - this.#sent.now - (elapsed - this.#sent.elapsed)
    if (Math.abs(drift) > mostDrift) this.lose('the host was suspended, or its wall clock was set')
    else if (elapsed >= this.#deadline) this.lose(`the Lease was not renewed for ${this.#span / seconds(1)} s`)
  }

  lose(why: string): void {
    if (this.#isClosed) return
    this.#loss.abort(new LeadershipLost(why))
    this.#callOff()
    this.#wake()
  }

  /** The work is done: nothing more is permitted, and nothing is lost. */
  close(): void {
    this.#isClosed = true
    this.#callOff()
    this.#wake()
  }

  get #deadline(): number {
    return this.#sent.elapsed + this.#span
  }

  #watchDeadline(): void {
    this.#callOff()
    if (this.lost.aborted) return
    const left = milliseconds(Math.max(0, this.#deadline - this.#clock.elapsed()))
    this.#callOff = this.#clock.after(left, () => {
      this.look()
      // A timer may be a little early on another clock than its own.
      this.#watchDeadline()
    })
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves when the term is renewed or over, or the signal is raised. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }
}
