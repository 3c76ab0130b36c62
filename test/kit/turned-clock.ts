import type { Clock } from '../../src/kube/clock.ts'
import { type Duration, milliseconds } from '../../src/pure/duration.ts'

/** A clock that stands still until a test turns it. */
export class TurnedClock implements Clock {
  #elapsed = Date.now()
  /** How far the wall clock is ahead of elapsed time. */
  #ahead = 0
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>()

  now(): number {
    return this.#elapsed + this.#ahead
  }

  elapsed(): number {
    return this.#elapsed
  }

  after(time: Duration, callback: () => void): () => void {
    const timer = { due: this.#elapsed + time, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How long until the next timer; below zero when it is late. */
  get untilNext(): Duration | undefined {
    const due = [...this.#timers].map((timer) => timer.due)
    return due.length === 0 ? undefined : milliseconds(Math.min(...due) - this.#elapsed)
  }

  /** Lets time pass, timer by timer. */
  turn(time: Duration): void {
    const end = this.#elapsed + time
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.due - b.due)
      if (next === undefined || next.due > end) break
      this.#timers.delete(next)
      this.#elapsed = Math.max(this.#elapsed, next.due)
      next.callback()
    }
    this.#elapsed = end
  }

  /** Lets time pass while the process can do nothing: its timers are late, and run when the clock is next turned. */
  block(time: Duration): void {
    this.#elapsed += time
  }

  /** Sets the wall clock, which is also all that a process sees of the time in which its host was suspended. */
  setWall(ahead: Duration): void {
    this.#ahead += ahead
  }
}
