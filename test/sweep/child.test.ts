import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { aSuite } from '../kit/suite.ts'
import { endStateOf } from './end-state.ts'
import { faultsOf, type Outcome, outcomeOf } from './outcome.ts'
import { type Plan, plansFor } from './plan.ts'
import { runScenario } from './run.ts'
import { scenarios as all } from './scenarios.ts'
import { annotateCopies } from './scenario-end.ts'
import { expectNoneRed, type Findings, runAll, type Verdict } from './sweep.ts'
import { Watcher } from './watcher.ts'
import { Witness } from './witness.ts'

// A whole operator keeps services too, and has more to write where there are any: services.test.ts has those.
const scenarios = all.filter(({ name }) => !name.includes('service'))

/** Processes take their time to start where several do at once. */
const within = <T>(question: string, ask: Parameters<typeof eventually<T>>[1]) => eventually(question, ask, 60_000)

let witness: Witness

beforeAll(async () => {
  witness = await Witness.start()
})

afterAll(() => witness[Symbol.asyncDispose]())

/** The plan with the operator as a process of its own, on a real clock, and a real SIGKILL. */
const runAsProcess = async (plan: Plan, reference: Outcome): Promise<Findings> => {
  const { scenario } = plan
  await using suite = await aSuite(['a', 'b'])
  witness.follow(suite.id)
  suite.watchedRoles = scenario.watchedRoles
  const watcher = new Watcher(suite, scenario, plan)
  await suite.startChild(watcher)
  await scenario.arrange(suite)
  if (scenario.startsWithAgent) {
    await within('the agent is reported on', async () => (await suite.agent())?.status?.conditions !== undefined)
    const looks = watcher.looks
    await annotateCopies(suite)
    const copies = (await suite.secrets()).filter(({ metadata }) => metadata.namespace !== suite.operatorNamespace)
    // Each new version of a copy is looked at once. A look that is still on its way would see what the scenario does.
    await within('the operator has looked at the copies', () => watcher.looks >= looks + copies.length)
    await suite.secrets()
  }
  watcher.isArmed = true
  await scenario.act(suite)
  const isKilled = await within('the operator was killed', () => suite.gate.isKilled).catch(() => false)
  if (!isKilled) return { hasFired: false, faults: ['the plan never fired'] }
  await suite.stop()
  const said = suite.logs.length
  await suite.startChild(watcher)
  await within('the new process is ready', () => suite.logs.slice(said).some((line) => line.includes('"ready"')))
  await within('all is as it should be', async () => (await endStateOf(suite)) === reference.endState).catch(
    () => undefined,
  )
  return { hasFired: true, faults: faultsOf(await outcomeOf(suite, watcher, witness), reference) }
}

test('a real SIGKILL at any write ends as it does in the sweep', { timeout: 1_800_000 }, async () => {
  const references = await Promise.all(scenarios.map((scenario) => runScenario(scenario, witness)))
  const plans = scenarios.flatMap((scenario, n) =>
    plansFor(scenario, references[n]?.recorded ?? []).filter(({ fault }) => fault.startsWith('kill')),
  )
  const verdicts: readonly Verdict[] = await runAll(plans, (plan) => {
    const reference = references[scenarios.indexOf(plan.scenario)]
    if (reference === undefined) throw new Error(`${plan.scenario.name} was not recorded`)
    return runAsProcess(plan, reference)
  })

  console.log(`${verdicts.length} plans with a process and SIGKILL`)
  expect(verdicts.length).toBeGreaterThanOrEqual(30)
  expectNoneRed(verdicts)
})
