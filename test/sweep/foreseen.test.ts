import { expect, test } from 'vitest'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { Recorder } from '../kit/recorder.ts'
import { aForeseenSuite, doneInSteps, type Pass } from './foreseen.ts'
import { annotateCopies } from './scenario-end.ts'
import { scenarios } from './scenarios.ts'

test.each(scenarios)(
  'PLAN-1 what is planned just before a pass is what the pass then does: $name',
  async (scenario) => {
    const recorder = new Recorder(sharedConnection().port)
    const passes: Pass[] = []
    await using suite = await aForeseenSuite(recorder, passes)
    await suite.start()
    await scenario.arrange(suite)
    await suite.settle()
    await annotateCopies(suite)
    await suite.settle()
    const before = passes.length
    await scenario.act(suite)
    await suite.settle()

    expect(passes.length, 'passes that the scenario asks for').toBeGreaterThan(before)
    const waitsForPeople = scenario.end.ready === 'AdoptionAmbiguous'
    expect(passes.flatMap(({ done }) => done).length === 0, 'nothing was done').toBe(waitsForPeople)
    expect(passes.map(doneInSteps)).toEqual(passes.map(({ foreseen }) => foreseen))
    expect(recorder.acts).not.toEqual([])
    expect(recorder.acts.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))).toEqual([])
  },
)
