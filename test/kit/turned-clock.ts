import type { Clock } from '../../src/kube/clock.ts'
import { type Duration, milliseconds } from '../../src/pure/duration.ts'

/** A clock that stands still until a test turns it. */
export class TurnedClock implements Clock {
  #now = Date.now()
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>()

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now
  }

  after(time: Duration, callback: () => void): () => void {
    const timer = { due: this.#now + time, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How long until the next timer. */
  get untilNext(): Duration | undefined {
    const due = [...this.#timers].map((timer) => timer.due)
    return due.length === 0 ? undefined : milliseconds(Math.min(...due) - this.#now)
  }

  /** Lets time pass, timer by timer. */
  turn(time: Duration): void {
    const end = this.#now + time
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.due - b.due)
      if (next === undefined || next.due > end) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.due)
      next.callback()
    }
    this.#now = end
  }
}
