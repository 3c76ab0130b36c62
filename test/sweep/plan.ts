import type { Described } from '../kit/request.ts'
import { printRequest } from '../kit/request.ts'
import { type Fault, faultsFor } from './faults.ts'
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

/** Every request of a recorded run × every fault that can befall it. */
export const plansFor = (scenario: Scenario, recorded: readonly Recorded[]): readonly Plan[] =>
  recorded.flatMap(({ request, nth, described }) =>
    faultsFor(described).map((fault) => ({ scenario, request, nth, fault })),
  )

export const printPlan = ({ scenario, request, nth, fault }: Plan): string =>
  `${scenario.name} · ${request} #${nth} · ${fault}`
