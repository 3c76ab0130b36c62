import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scenario } from './scenarios.ts'
import { printVerdict, sweep, type Verdict } from './sweep.ts'
import { printTable } from './table.ts'
import { Witness } from './witness.ts'

/** A test for each scenario: whatever goes wrong at any of its requests, it ends as it does undisturbed. */
export const testSwept = (scenarios: readonly Scenario[]): void => {
  let witness: Witness
  const all: Verdict[] = []

  beforeAll(async () => {
    witness = await Witness.start()
  })

  afterAll(async () => {
    await witness[Symbol.asyncDispose]()
    console.log(printTable(all))
  })

  test.each(scenarios)('whatever goes wrong at any request: $name', { timeout: 600_000 }, async (scenario) => {
    const verdicts = await sweep(scenario, witness)
    all.push(...verdicts)

    expect(verdicts.length).toBeGreaterThan(10)
    expect(verdicts.filter(({ faults }) => faults.length > 0).map(printVerdict)).toEqual([])
  })
}
