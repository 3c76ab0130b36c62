import { afterAll, beforeAll, expect } from 'vitest'
import type { Scenario } from './scenarios.ts'
import { expectNoneRed, sweep, type Verdict } from './sweep.ts'
import { printTable } from './table.ts'
import { Witness } from './witness.ts'

/** Sweeps the scenarios of a file: whatever goes wrong at any request, one ends as it does undisturbed. */
export const sweeper = (): ((scenario: Scenario) => Promise<void>) => {
  let witness: Witness
  const all: Verdict[] = []

  beforeAll(async () => {
    witness = await Witness.start()
  })

  afterAll(async () => {
    await witness[Symbol.asyncDispose]()
    console.log(printTable(all))
  })

  return async (scenario) => {
    const verdicts = await sweep(scenario, witness)
    all.push(...verdicts)

    expect(verdicts.length).toBeGreaterThan(10)
    expectNoneRed(verdicts)
  }
}
