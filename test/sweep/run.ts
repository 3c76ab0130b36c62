import { eventually } from '../../src/dev/eventually.ts'
import type { Port } from '../../src/kube/port.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import { isEqualToServer } from '../kit/idle.ts'
import { aSuite, type Suite } from '../kit/suite.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Plan } from './plan.ts'
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
  await using suite = await aSuite(['a', 'b'], planted)
  const watcher = new Watcher(suite, scenario, plan)
  await suite.start(watcher)
  await scenario.arrange(suite)
  await suite.settle()
  watcher.isArmed = true
  await scenario.act(suite)
  const began = suite.clock.now()
  await comeThrough(suite, watcher)
  const took = (suite.clock.now() - began) / 1000
  const slow = took <= longestRecovery ? [] : [`it recovered only after ${took} s`]
  watcher.isArmed = false
  const restless = await resyncs(suite, watcher)
  const outcome = await outcomeOf(suite, watcher, witness)
  return { ...outcome, violations: [...outcome.violations, ...restless, ...slow] }
}

// Ten seconds until a doubt is looked at again, twice, and some pauses.
const longestRecovery = 30

// While lines are held back the operator retries on what it cannot see; then they come.
const turnsWhileHeld = 5

/** Lets the fault happen, ends it, and waits until all is done. */
const comeThrough = async (suite: Suite, watcher: Watcher): Promise<void> => {
  for (let turns = 0; turns < 60; turns += 1) {
    await eventually('the fault has happened, or there is nothing left to do', async () => {
      const { operator, gate, client, scope } = suite
      if (gate.isKilled || (gate.isHolding && operator.isQuiet)) return true
      return operator.isQuiet && (await isEqualToServer(operator, client, scope)) && operator.isQuiet
    })
    if (suite.gate.isKilled) {
      await suite.stop()
      await suite.start(watcher)
      continue
    }
    const hasTurned = turns < turnsWhileHeld || !suite.gate.isHolding ? suite.turnToNextTimer() : false
    if (hasTurned) continue
    if (!suite.gate.isHolding) return
    suite.gate.release()
  }
  throw new Error(`the operator does not settle:\n${suite.logs.slice(-10).join('\n')}`)
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
