import type { ConditionWish } from './conditions.ts'
import type { Duration } from './duration.ts'
import type { Effect } from './effects.ts'

/** Effects that do not depend on each other. */
export type Step = readonly Effect[]

/** What the object's status should say once nothing is left to do, and what of it differs when the pass failed. */
export interface StatusWish {
  readonly fields: Readonly<Record<string, unknown>>
  readonly fieldsWhenFailed: Readonly<Record<string, unknown>>
  readonly ready: Omit<ConditionWish, 'type'>
  readonly others: readonly ConditionWish[]
}

/** The whole answer to one observation. */
export interface Plan {
  /** The situation that the object is in, in the controller's own words. */
  readonly stage: string
  /** In order; a step starts when the one before has succeeded. */
  readonly steps: readonly Step[]
  /** What is done also while the object is paused: somebody asked for it, and others act on it already. */
  readonly urgent?: Step
  /** Absent when the object's status is not ours to write. */
  readonly status?: StatusWish
  /** What people should know before this is done. */
  readonly notices?: readonly string[]
  /** Something for the log that has no other place. */
  readonly remark?: string
  readonly lookAgain: 'on-change' | { readonly after: Duration }
}

/** The answer to an object that another installation has claimed. */
export const leftAlone = (stage: string, by: string): Plan => ({
  stage,
  steps: [],
  remark: `left alone: claimed by the operator in namespace ${by}`,
  lookAgain: 'on-change',
})

export const isSettled = ({ steps }: Plan): boolean => steps.every((step) => step.length === 0)
