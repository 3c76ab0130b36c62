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
  /** Whether what was to go wrong went wrong. */
  readonly hasFired: boolean
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
    return { faults: faultsOf(outcome, reference), hasFired: outcome.hasFired, late: outcome.late }
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
      const verdict = { plan, ...(await judgedOnceFired(plan, judge)) }
      verdicts.push(verdict)
      if (until(verdict)) waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: streams }, work))
  return verdicts
}

// Whether a controller sees two changes at once or one by one is a matter of time, and with it whether it asks for
// something twice. A plan about the second time may have to wait for a run in which there is one.
const attempts = 3

const judgedOnceFired = async (plan: Plan, judge: (plan: Plan) => Promise<Findings>): Promise<Findings> => {
  for (let attempt = 1; ; attempt += 1) {
    const findings = await Promise.race([judge(plan), tooLong()]).catch(asFault)
    if (findings.hasFired || attempt === attempts) return findings
  }
}

const asFault = (error: unknown): Findings => ({
  hasFired: true,
  faults: [`it did not come to an end: ${error instanceof Error ? error.message : String(error)}`],
})

/** A plan that hangs is a finding like any other, and must not hold up the rest. */
const tooLong = async (): Promise<never> => {
  await pause(180_000, undefined, { ref: false })
  throw new Error('it hangs')
}

/** Fails with what each red plan found: that there was one would not help anybody. */
export const expectNoneRed = (verdicts: readonly Verdict[]): void => {
  const red = verdicts.filter(({ faults }) => faults.length > 0)
  if (red.length > 0)
    throw new Error(`${red.length} of ${verdicts.length} plans are red\n${red.map(printVerdict).join('\n')}`)
}

const printVerdict = ({ plan, faults }: Verdict): string => `${printPlan(plan)}\n  ${faults.join('\n  ')}`
