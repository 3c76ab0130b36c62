import { setTimeout as pause } from 'node:timers/promises'
import { type Plan, plansFor, printPlan } from './plan.ts'
import type { LateAnswer } from './late.ts'
import { faultsOf } from './outcome.ts'
import { type Planted, runScenario } from './run.ts'
import type { Scenario } from './scenarios.ts'
import type { Witness } from './witness.ts'

export interface Verdict {
  readonly plan: Plan
  /** Why it is red; nothing when it is green. */
  readonly faults: readonly string[]
  readonly late?: LateAnswer | undefined
}

export type Findings = Omit<Verdict, 'plan'>

// More streams than this are no faster: the API server is the limit.
const streams = 4

export interface Sweeping {
  /** A bug to run with; the reference run is without it. */
  readonly planted?: Planted
  /** Ends the sweep when what it looks for has been found. */
  readonly until?: (verdict: Verdict) => boolean
}

/** Records a scenario undisturbed, makes its plans, runs them all and judges each. */
export const sweep = async (
  scenario: Scenario,
  witness: Witness,
  { planted, until = () => false }: Sweeping = {},
): Promise<readonly Verdict[]> => {
  const reference = await runScenario(scenario, witness)
  if (reference.violations.length > 0)
    throw new Error(`${scenario.name}, undisturbed: ${reference.violations.join('; ')}`)
  const recorded = planted === undefined ? reference : await runScenario(scenario, witness, { planted })
  const judge = async (plan: Plan): Promise<Findings> => {
    const outcome = await runScenario(scenario, witness, { plan, planted: planted ?? {} })
    return { faults: faultsOf(outcome, reference), late: outcome.late }
  }
  return runAll(plansFor(scenario, recorded.recorded), judge, until)
}

/** Runs plans, a few at a time, and judges each. */
export const runAll = async (
  plans: readonly Plan[],
  judge: (plan: Plan) => Promise<Findings>,
  until: (verdict: Verdict) => boolean = () => false,
): Promise<readonly Verdict[]> => {
  const waiting = [...plans]
  const verdicts: Verdict[] = []
  const work = async () => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const verdict = { plan, ...(await Promise.race([judge(plan), tooLong()]).catch(asFault)) }
      verdicts.push(verdict)
      if (until(verdict)) waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: streams }, work))
  return verdicts
}

const asFault = (error: unknown): Findings => ({
  faults: [`it did not come to an end: ${error instanceof Error ? error.message : String(error)}`],
})

/** A plan that hangs is a finding like any other, and must not hold up the rest. */
const tooLong = async (): Promise<never> => {
  await pause(60_000, undefined, { ref: false })
  throw new Error('it hangs')
}

export const printVerdict = ({ plan, faults }: Verdict): string => `${printPlan(plan)}\n  ${faults.join('\n  ')}`
