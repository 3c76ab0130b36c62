import { seconds } from '../pure/duration.ts'
import type { Clock } from './clock.ts'
import { singleFlight } from './single-flight.ts'

/** A part of our credentials that others may replace while we run. */
export interface Source<T> {
  current(): Promise<T>
  /** What it gave was refused: it looks anew when it is asked next. False when it has nowhere to look. */
  renew(): boolean
}

export const fixed = <T>(value: T): Source<T> => ({ current: () => Promise.resolve(value), renew: () => false })

// Soon enough for a token that is replaced long before it ends, and seldom enough to cost nothing.
const readAgainAfter = seconds(10)

/** What is read from files that others replace. Once there is a value, a failure never takes it away. */
export const reread = <T>(clock: Clock, read: () => Promise<T>, untilThen?: T): Source<T> => {
  let known: { readonly value: T } | undefined = untilThen === undefined ? undefined : { value: untilThen }
  let readAt = -Infinity
  const readNow = singleFlight(async () => {
    const started = clock.elapsed()
    try {
      known = { value: await read() }
    } catch (error) {
      // Files that are being replaced may be gone, half written or at odds for a moment.
      if (known === undefined) throw error
    }
    readAt = started
    return known.value
  })
  return {
    async current() {
      return known !== undefined && clock.elapsed() - readAt < readAgainAfter ? known.value : readNow()
    },
    renew() {
      readAt = -Infinity
      return true
    },
  }
}
