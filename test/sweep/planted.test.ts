import { afterAll, beforeAll, expect, test } from 'vitest'
import * as planted from './planted.ts'
import { faultsOf } from './outcome.ts'
import { type Planted, runScenario } from './run.ts'
import { scenarios } from './scenarios.ts'
import { sweep } from './sweep.ts'
import { Witness } from './witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await Witness.start()
})

afterAll(() => witness[Symbol.asyncDispose]())

const bugs: readonly { bug: string; planted: Planted; scenario: string; invariant: string }[] = [
  {
    bug: 'mints although a witness is there',
    planted: planted.mintsDespiteWitness,
    scenario: 'delete the canonical by hand',
    invariant: 'I1',
  },
  {
    bug: 'deletes without the uid',
    planted: planted.deletesWithoutUid,
    scenario: 'remove a namespace',
    invariant: 'I8',
  },
  {
    bug: 'puts the finalizer on after the first effect',
    planted: planted.finalizerComesLast,
    scenario: 'create an agent',
    invariant: 'I9',
  },
  {
    bug: 'takes the agent’s own key for a reason to make another',
    planted: planted.rotatesUnasked,
    scenario: 'create an agent',
    invariant: 'I1',
  },
  {
    bug: 'applies instead of creating',
    planted: planted.appliesInsteadOfCreating,
    scenario: 'replace a replica by a foreign one',
    invariant: 'I8',
  },
  {
    bug: 'marks without the resourceVersion',
    planted: planted.marksWithoutVersion,
    scenario: 'create an agent',
    invariant: 'I11',
  },
]

test('a plan whose request never comes is red', { timeout: 60_000 }, async () => {
  const [scenario] = scenarios
  if (scenario === undefined) throw new Error('there is no scenario')
  const reference = await runScenario(scenario, witness)
  const plan = { scenario, request: 'delete secrets nobody/nothing', nth: 1, fault: 'kill before' } as const

  const outcome = await runScenario(scenario, witness, { plan })

  expect(faultsOf(outcome, reference)).toEqual(['the plan never fired'])
})

test.each(bugs)(
  'an operator that $bug is caught by $invariant',
  { timeout: 300_000 },
  async ({ planted, scenario, invariant }) => {
    const disturbed = scenarios.find(({ name }) => name === scenario)
    if (disturbed === undefined) throw new Error(`there is no scenario "${scenario}"`)
    const breaks = (fault: string) => fault.startsWith(`${invariant} `)

    const verdicts = await sweep(disturbed, witness, { planted, until: ({ faults }) => faults.some(breaks) })

    expect(verdicts.flatMap(({ faults }) => faults)).toContainEqual(expect.stringMatching(`^${invariant} `))
  },
)
