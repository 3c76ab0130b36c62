import { minutes, type Duration } from '../pure/duration.ts'

/** Time for everything that waits. Tests bring one that they can turn. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment, never set back or forward by anybody; stands still while the host is suspended. */
  elapsed(): number
  /** Calls back once after the time has passed; the returned function calls it off. */
  after(time: Duration, callback: () => void): () => void
}

// setTimeout fires at once above 2^31 ms, so long waits are cut into pieces.
const longestTimer = minutes(24 * 60)

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(time, callback) {
    let timer: NodeJS.Timeout
    const start = (left: number) => {
      timer = setTimeout(
        () => (left > longestTimer ? start(left - longestTimer) : callback()),
        Math.min(left, longestTimer),
      )
    }
    start(time)
    return () => clearTimeout(timer)
  },
}

/** Resolves after the time has passed, or at once when the signal is raised. */
export const waitFor = (clock: Clock, time: Duration, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(time, done)
    signal.addEventListener('abort', done, { once: true })
  })
