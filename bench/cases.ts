import { setTimeout as pause } from 'node:timers/promises'
import { createNamespaces } from '../src/dev/sample-fleet.ts'
import type { AgentWish, Driver } from './driver.ts'

export const caseNames = ['agents', 'namespaces', 'deletion'] as const
export type CaseName = (typeof caseNames)[number]

/** Runs one case and tells what it took. `work` resolves when the cluster is as the case wants it. */
export type Measure<T> = (work: () => Promise<void>) => Promise<T>

// What one case leaves behind in the subject (echoes of its own writes) must not count for the next.
const restMs = 500

export const namespaceOf = (run: string): string => `bench-${run}-operator`

const targetsOf = (run: string, size: number): readonly string[] =>
  Array.from({ length: size }, (_, n) => `bench-${run}-${n}`)

/** Makes the namespaces of a run; to be called before its subject starts. */
export const prepare = ({ client }: Driver, run: string, size: number): Promise<void> =>
  createNamespaces(client, [namespaceOf(run), ...targetsOf(run, size)])

/** Runs the cases against whatever looks after the agents now, and leaves nothing but namespaces. */
export const runCases = async <T>(
  driver: Driver,
  run: string,
  size: number,
  measure: Measure<T>,
): Promise<Record<CaseName, T>> => {
  const targets = targetsOf(run, size)
  const many: readonly AgentWish[] = targets.map((target) => ({ name: target, namespaces: [target] }))
  const wide: readonly AgentWish[] = [{ name: `bench-${run}-wide`, namespaces: targets }]
  const create = async (fleet: readonly AgentWish[]) => {
    await driver.create(fleet)
    await driver.untilReady(fleet)
  }
  const remove = async (fleet: readonly AgentWish[]) => {
    await driver.delete(fleet)
    await driver.untilGone(fleet)
  }
  const rested = async (work: () => Promise<void>): Promise<T> => {
    await pause(restMs)
    return measure(work)
  }
  const agents = await rested(() => create(many))
  const deletion = await rested(() => remove(many))
  const namespaces = await rested(() => create(wide))
  await remove(wide)
  return { agents, namespaces, deletion }
}
