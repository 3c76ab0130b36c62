import { eventually } from '../../src/dev/eventually.ts'
import type { Port } from '../../src/kube/port.ts'
import { seconds } from '../../src/pure/duration.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import { standOf, standsStill, untilSilenceIsNoticed } from '../kit/standstill.ts'
import { aSuite, type Suite } from '../kit/suite.ts'
import type { Fault } from './faults.ts'
import { arriveLate } from './late.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Plan } from './plan.ts'
import { annotateCopies } from './scenario-end.ts'
import type { Scenario } from './scenarios.ts'
import { Watcher } from './watcher.ts'
import type { Witness } from './witness.ts'

/** A bug to run with. */
export interface Planted {
  readonly controller?: (operatorNamespace: string) => Controller
  readonly port?: (gate: Port) => Port
}

/** Runs a scenario, disturbed as the plan says or not at all. */
export const runScenario = async (
  scenario: Scenario,
  witness: Witness,
  { plan, planted = {} }: { readonly plan?: Plan; readonly planted?: Planted } = {},
): Promise<Outcome> => {
  await using suite = await aSuite(['a', 'b'], { ...planted, ...scopeOf(scenario) })
  witness.follow(suite.id)
  const watcher = new Watcher(suite, scenario, plan)
  await suite.start(watcher)
  await scenario.arrange(suite)
  await suite.settle()
  await annotateCopies(suite)
  await suite.settle()
  watcher.isArmed = true
  await scenario.act(suite)
  const began = suite.clock.now()
  await comeThrough(suite, watcher)
  const took = (suite.clock.now() - began) / 1000
  const late = await arriveLate(watcher)
  if (late !== undefined) await comeThrough(suite, watcher)
  watcher.isArmed = false
  const restless = await resyncs(suite, watcher)
  const outcome = await outcomeOf(suite, watcher, witness)
  const violations = [...outcome.violations, ...restless, ...slownessOf(took, plan?.fault), ...(late?.violations ?? [])]
  return { ...outcome, violations, late }
}

const scopeOf = ({ watchedRoles, withServices = false }: Scenario) => ({
  withServices,
  ...(watchedRoles !== undefined && { watchedRoles }),
})

// Ten seconds until a doubt is looked at again, twice, and some pauses.
const longestRecovery = 30

/** What a fault takes by itself, in seconds. */
const ownTime: Readonly<Partial<Record<Fault, number>>> = {
  'mute the watches': untilSilenceIsNoticed / seconds(1),
  // Secrets are listed and watched: five failures in a row, each with a pause twice as long, and what 429 asks for.
  'expire the watches, refuse the next': 0.8 + 1.6 + 3.2 + 6.4 + 12.8 + 2,
}

const slownessOf = (took: number, fault: Fault | undefined): readonly string[] => {
  const allowed = longestRecovery + (fault === undefined ? 0 : (ownTime[fault] ?? 0))
  return took <= allowed ? [] : [`it recovered only after ${took} s`]
}

// While the operator sees less than there is, it retries on what it cannot see; then it comes.
const turnsWhileBlind = 5

/** Lets the fault happen, ends it, and waits until all is done. */
const comeThrough = async (suite: Suite, watcher: Watcher): Promise<void> => {
  for (let turns = 0; turns < 60; turns += 1) {
    const question = () => `the fault has happened, or there is nothing left to do\n${standOf(suite)}`
    await eventually(question, () => canGoOn(suite))
    const { gate } = suite
    if (gate.isKilled) {
      await suite.stop()
      await startAgain(suite, watcher)
      continue
    }
    const isBlind = gate.isHolding || gate.isMuting
    const hasTurned = turns < turnsWhileBlind || !isBlind ? suite.turnToNextTimer() : false
    if (hasTurned) continue
    if (!isBlind) return
    gate.release()
    if (gate.isMuting) suite.clock.turn(untilSilenceIsNoticed)
    await eventually('the silence is noticed', () => !gate.isMuting)
  }
  throw new Error(`the operator does not settle:\n${suite.logs.slice(-10).join('\n')}`)
}

/** Whether nothing more happens unless the test does something. */
const canGoOn = (suite: Suite): Promise<boolean> | boolean => {
  const { operator, gate } = suite
  return gate.isKilled || ((gate.isHolding || gate.isMuting) && operator.isQuiet) || standsStill(suite)
}

/** Starts an operator, and turns the clock when it pauses between its attempts to see everything. */
const startAgain = async (suite: Suite, watcher: Watcher): Promise<void> => {
  let isStarted = false
  const starting = suite.start(watcher).then(() => {
    isStarted = true
  })
  const turning = eventually('the operator has started', () => {
    // While the server is answering, the clock must not outrun the patience of who has asked.
    if (!isStarted && !suite.gate.isBusy) suite.turnToNextTimer()
    return isStarted
  })
  await Promise.all([starting, turning])
}

/** Three looks at everything, and no reason for a single request. */
const resyncs = async (suite: Suite, watcher: Watcher): Promise<readonly string[]> => {
  const before = watcher.calls
  for (let n = 0; n < 3; n += 1) {
    suite.operator.resync()
    await suite.settle()
  }
  return watcher.calls === before ? [] : [`it is not at rest: ${watcher.calls - before} requests in three resyncs`]
}
