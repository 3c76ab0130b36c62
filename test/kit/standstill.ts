import { eventually } from '../../src/dev/eventually.ts'
import { type Duration, seconds } from '../../src/pure/duration.ts'
import type { Gate } from './gate.ts'
import { isIdle, type Watched } from './idle.ts'
import type { TurnedClock } from './turned-clock.ts'

/** An operator at work for a test, and its time, which the test turns. */
interface Standing extends Watched {
  readonly gate: Gate
  readonly clock: TurnedClock
  readonly logs: readonly string[]
  readonly turnToNextTimer: () => boolean
}

/** Longer than a watch may be silent. */
export const untilSilenceIsNoticed = seconds(71)

// More turns than anything takes but watches that fall silent one after the other, so that one of them is always next.
const untilAllFallSilent = 40

/** Idle, and everything done that the operator has put off for less than half a minute. */
export const settle = async (standing: Standing): Promise<void> => {
  for (let turns = 0; turns < 3 * untilAllFallSilent; turns += 1) {
    if (turns === untilAllFallSilent) standing.clock.turn(untilSilenceIsNoticed)
    await eventually(
      () => `the operator stands still\n${standOf(standing)}`,
      () => standsStill(standing),
    )
    if (!standing.turnToNextTimer()) return
  }
  throw new Error(`the operator does not settle:\n${standOf(standing)}`)
}

/** Lets time pass, and everything happen that is due then. */
export const turn = async (standing: Standing, time: Duration): Promise<void> => {
  standing.clock.turn(time)
  await settle(standing)
}

/** Whether nothing more happens unless the clock is turned. */
export const standsStill = (standing: Standing): Promise<boolean> | boolean => {
  const { operator, gate, clock } = standing
  if (!operator.isQuiet || gate.isBusy) return false
  // A watch that is to be opened again waits for the clock, and what it would tell is not known until then.
  if (gate.watches < operator.informers.length) return (clock.untilNext ?? Infinity) <= seconds(30)
  return isIdle(standing)
}

/** For whoever has to find out why an operator stands still, or does not. */
export const standOf = ({ operator, gate, clock, logs }: Standing): string =>
  [
    `operator ${operator.isQuiet ? 'quiet' : 'busy'}, ${gate.watches} watches for ${operator.informers.length} informers, next timer in ${clock.untilNext} ms`,
    ...operator.informers.map(
      ({ view, namespace, isSynced, store, silence }) =>
        `${view.kind.kind} ${namespace ?? ''} ${JSON.stringify(view.choice)}: ${isSynced ? 'synced' : 'not synced'}, ${store.list().length} objects at ${store.version}, silent for ${silence} ms`,
    ),
    ...logs.slice(-10),
  ].join('\n')
