import type { Suite } from '../kit/suite.ts'
import { endStateOf } from './end-state.ts'
import { violationsOf } from './invariants.ts'
import type { LateAnswer } from './late.ts'
import type { Recorded } from './plan.ts'
import { departuresFrom } from './scenario-end.ts'
import type { Watcher } from './watcher.ts'
import type { Revision, Witness } from './witness.ts'

/** What a run came to. */
export interface Outcome {
  readonly recorded: readonly Recorded[]
  readonly hasFired: boolean
  readonly endState: string
  /** How often each object was created and deleted. */
  readonly births: ReadonlyMap<string, number>
  readonly violations: readonly string[]
  readonly calls: number
  readonly late?: LateAnswer | undefined
}

export const outcomeOf = async (suite: Suite, watcher: Watcher, witness: Witness): Promise<Outcome> => {
  const endState = await endStateOf(suite)
  const revisions = await witness.revisionsOf(suite.id)
  const { operatorNamespace, logs, clock } = suite
  const run = { operatorNamespace, logs, seeds: watcher.seeds, now: clock.now() }
  const departures = await departuresFrom(watcher.scenario.end, suite)
  return {
    recorded: watcher.recorded,
    hasFired: watcher.hasFired,
    endState,
    births: birthsOf(revisions, suite),
    violations: [...violationsOf(revisions, run), ...watcher.violations, ...departures, ...surprisesIn(suite.logs)],
    calls: watcher.calls,
  }
}

/** Every refusal is a sentence that begins alike. What else is warned of is a fight, or a bug that a retry has hidden. */
const surprisesIn = (logs: readonly string[]): readonly string[] =>
  logs
    .map((line) => JSON.parse(line) as { readonly level: number; readonly msg: string })
    .filter(({ level, msg }) => level >= 40 && !msg.startsWith('cannot '))
    .map(({ msg }) => `it met something unforeseen: ${msg}`)

/** Why an outcome is not what the undisturbed one was; nothing when it is. */
export const faultsOf = (outcome: Outcome, reference: Outcome): readonly string[] => [
  ...(outcome.hasFired ? [] : ['the plan never fired']),
  ...outcome.violations,
  ...(outcome.endState === reference.endState
    ? []
    : [`the end state differs:\n${differenceOf(outcome.endState, reference.endState)}`]),
  ...(outcome.calls <= 3 * reference.calls + 20
    ? []
    : [`it took ${outcome.calls} requests instead of ${reference.calls}`]),
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
