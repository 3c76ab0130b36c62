import type { Controller } from '../../src/runtime/controller.ts'
import type { Port, WireRequest } from '../../src/kube/port.ts'
import { eventually } from '../../src/dev/eventually.ts'
import type { GateOptions } from '../kit/gate.ts'
import { isEqualToServer } from '../kit/idle.ts'
import type { Described } from '../kit/request.ts'
import { aSuite, type Suite } from '../kit/suite.ts'
import { endStateOf } from './end-state.ts'
import { interceptionOf } from './faults.ts'
import { violationsOf } from './invariants.ts'
import { Counter, type Plan, type Recorded } from './plan.ts'
import type { Scenario } from './scenarios.ts'
import type { Revision, Witness } from './witness.ts'

/** A bug to run with. */
export interface Planted {
  readonly controller?: (operatorNamespace: string) => Controller
  readonly port?: (gate: Port) => Port
}

export interface Outcome {
  readonly recorded: readonly Recorded[]
  readonly hasFired: boolean
  readonly endState: string
  /** How often each object was created and deleted. */
  readonly births: ReadonlyMap<string, number>
  readonly violations: readonly string[]
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
  await comeThrough(suite, watcher)
  watcher.isArmed = false
  const restless = await resyncs(suite, watcher)
  const [agent, secrets, endState] = await Promise.all([suite.agent(), suite.secrets(), endStateOf(suite)])
  const revisions = await witness.revisionsOf(suite.id, agent === undefined ? secrets : [...secrets, agent])
  const run = { id: suite.id, operatorNamespace: suite.operatorNamespace, logs: suite.logs }
  const violations = [...violationsOf(revisions, run), ...watcher.violations, ...restless]
  return {
    recorded: watcher.recorded,
    hasFired: watcher.hasFired,
    endState,
    births: birthsOf(revisions, suite),
    violations,
  }
}

/** Watches the requests of one run, and disturbs the one that the plan names. */
class Watcher implements GateOptions {
  readonly recorded: Recorded[] = []
  readonly violations: string[] = []
  isArmed = false
  hasFired = false
  calls = 0
  readonly #counter = new Counter()
  readonly #suite: Suite
  readonly #scenario: Scenario
  readonly #plan: Plan | undefined

  constructor(suite: Suite, scenario: Scenario, plan: Plan | undefined) {
    this.#suite = suite
    this.#scenario = scenario
    this.#plan = plan
  }

  onCall = (wire: WireRequest, described: Described) => {
    this.calls += 1
    this.#judge(wire, described)
    if (!this.isArmed || this.hasFired) return undefined
    const recorded = this.#counter.next(described, this.#suite.id)
    this.recorded.push(recorded)
    if (recorded.request !== this.#plan?.request || recorded.nth !== this.#plan.nth) return undefined
    this.hasFired = true
    return interceptionOf(this.#plan.fault, this.#suite, described)
  }

  /** I8 and I10, as far as requests tell. */
  #judge({ body = '{}' }: WireRequest, { verb, namespace, name }: Described): void {
    if (verb !== 'delete') return
    const { preconditions } = JSON.parse(body) as { preconditions?: { uid?: string } }
    if (preconditions?.uid === undefined) this.violations.push(`I8 ${namespace}/${name} was deleted without its uid`)
    const isAskedFor = this.#scenario.asksToRemove.some((role) => this.#suite.named(role) === namespace)
    if (!isAskedFor) this.violations.push(`I10 ${namespace}/${name} was deleted although nobody asked for it`)
  }
}

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

const birthsOf = (revisions: readonly Revision[], suite: Suite): ReadonlyMap<string, number> => {
  const births = new Map<string, number>()
  for (const { type, object } of revisions) {
    if (type === 'MODIFIED') continue
    const name = `${type === 'ADDED' ? 'created' : 'deleted'} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
    const masked = name.replaceAll(suite.id, '*')
    births.set(masked, (births.get(masked) ?? 0) + 1)
  }
  return births
}
