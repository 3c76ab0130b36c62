import { setTimeout as pause } from 'node:timers/promises'
import { type Plan, plansFor, printPlan } from './plan.ts'
import { type Outcome, type Planted, runScenario } from './run.ts'
import type { Scenario } from './scenarios.ts'
import type { Witness } from './witness.ts'

export interface Verdict {
  readonly plan: Plan
  /** Why it is red; nothing when it is green. */
  readonly faults: readonly string[]
}

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
  const waiting = [...plansFor(scenario, recorded.recorded)]
  const verdicts: Verdict[] = []
  const work = async () => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const verdict = { plan, faults: await judge(plan, reference, witness, planted ?? {}) }
      verdicts.push(verdict)
      if (until(verdict)) waiting.length = 0
    }
  }
  await Promise.all(Array.from({ length: streams }, work))
  return verdicts
}

const judge = async (
  plan: Plan,
  reference: Outcome,
  witness: Witness,
  planted: Planted,
): Promise<readonly string[]> => {
  try {
    const run = runScenario(plan.scenario, witness, { plan, planted })
    return faultsOf(await Promise.race([run, tooLong()]), reference)
  } catch (error) {
    return [`it did not come to an end: ${error instanceof Error ? error.message : String(error)}`]
  }
}

/** A plan that hangs is a finding like any other, and must not hold up the rest. */
const tooLong = async (): Promise<never> => {
  await pause(60_000, undefined, { ref: false })
  throw new Error('it hangs')
}

const faultsOf = (outcome: Outcome, reference: Outcome): readonly string[] => [
  ...(outcome.hasFired ? [] : ['the plan never fired']),
  ...outcome.violations,
  ...(outcome.endState === reference.endState
    ? []
    : [`the end state differs:\n${differenceOf(outcome.endState, reference.endState)}`]),
  ...[...outcome.births].flatMap(([name, times]) => {
    const expected = reference.births.get(name) ?? 0
    return times > expected ? [`${name} ${times} times instead of ${expected}`] : []
  }),
]

const differenceOf = (seen: string, expected: string): string => {
  const [seenLines, expectedLines] = [seen.split('\n'), expected.split('\n')]
  return [
    ...seenLines.filter((line) => !expectedLines.includes(line)).map((line) => `  seen     ${line.trim()}`),
    ...expectedLines.filter((line) => !seenLines.includes(line)).map((line) => `  expected ${line.trim()}`),
  ].join('\n')
}

export const printVerdict = ({ plan, faults }: Verdict): string => `${printPlan(plan)}\n  ${faults.join('\n  ')}`
