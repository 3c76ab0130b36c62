import { setImmediate as settled } from 'node:timers/promises'
import { type Duration, milliseconds } from '../../src/pure/duration.ts'
import type { TurnedClock } from './turned-clock.ts'

/** Lets time pass on all clocks, timer by timer: what a timer sets off is done before the next one. */
export const lapse = async (time: Duration, ...clocks: readonly TurnedClock[]): Promise<void> => {
  await settled()
  for (let left = time; ; ) {
    const next = Math.max(0, Math.min(...clocks.map(({ untilNext }) => untilNext ?? Infinity)))
    const step = milliseconds(Math.min(next, left))
    for (const clock of clocks) clock.turn(step)
    await settled()
    left = milliseconds(left - step)
    if (left === 0 && next > 0) return
  }
}
