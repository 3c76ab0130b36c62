import { type Clock, systemClock } from '../../src/kube/clock.ts'
import type { Duration } from '../../src/pure/duration.ts'

interface Timer {
  readonly due: number
  readonly fire: () => void
}

/** Goes like any clock, and can be set forward: what is due by then happens at once. */
export class JumpingClock implements Clock {
  #ahead = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return systemClock.now() + this.#ahead
  }

  elapsed(): number {
    return systemClock.elapsed() + this.#ahead
  }

  after(time: Duration, callback: () => void): () => void {
    const cancel = () => {
      this.#timers.delete(timer)
      callOff()
    }
    const fire = () => {
      cancel()
      callback()
    }
    const timer = { due: this.elapsed() + time, fire }
    this.#timers.add(timer)
    const callOff = systemClock.after(time, fire)
    return cancel
  }

  jump(time: Duration): void {
    this.#ahead += time
    const due = [...this.#timers].filter((timer) => timer.due <= this.elapsed())
    for (const { fire } of due.sort((a, b) => a.due - b.due)) fire()
  }
}
