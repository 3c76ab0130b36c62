import type { Described } from '../kit/request.ts'
import { isWrite, printRequest } from '../kit/request.ts'
import { type Fault, readFaults, startFaults, writeFaults } from './faults.ts'
import type { Scenario } from './scenarios.ts'

/** One disturbance of one scenario: the n-th request of this sort meets this fault. */
export interface Plan {
  readonly scenario: Scenario
  readonly request: string
  readonly nth: number
  readonly fault: Fault
}

/** The requests of an undisturbed run, each with its number among its likes. */
export interface Recorded {
  readonly request: string
  readonly nth: number
  readonly described: Described
}

/** Counts requests of each sort, so that a plan can name one of them. */
export class Counter {
  readonly #counts = new Map<string, number>()

  next(described: Described, run: string): Recorded {
    const request = printRequest(described, run)
    const nth = (this.#counts.get(request) ?? 0) + 1
    this.#counts.set(request, nth)
    return { request, nth, described }
  }
}

/** Every request of a recorded run × every fault that can befall it; a start is the same whatever came before. */
export const plansFor = (scenario: Scenario, recorded: readonly Recorded[]): readonly Plan[] => {
  const firstWrite = recorded.find(({ described }) => isWrite(described))
  return recorded.flatMap((one) => {
    const faults = isWrite(one.described) ? writeFaults : readFaults
    const startsAnew = one === firstWrite ? startFaults : []
    return [...faults, ...startsAnew].map((fault) => ({ scenario, request: one.request, nth: one.nth, fault }))
  })
}

export const printPlan = ({ scenario, request, nth, fault }: Plan): string =>
  `${scenario.name} · ${request} #${nth} · ${fault}`
