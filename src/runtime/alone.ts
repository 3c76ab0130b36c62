import type { OperatorOptions } from './operator.ts'

/** For an operator that has no rival: it works from the start until it is stopped. */
export const alone: OperatorOptions['whenLeading'] = (lead, stop) => lead(stop)
