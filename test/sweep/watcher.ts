import type { WireRequest } from '../../src/kube/port.ts'
import type { GateOptions } from '../kit/gate.ts'
import type { Described } from '../kit/request.ts'
import type { Suite } from '../kit/suite.ts'
import { interceptionOf } from './faults.ts'
import { Counter, type Plan, type Recorded } from './plan.ts'
import type { Scenario } from './scenarios.ts'

/** Watches the requests of one run, and disturbs the one that the plan names. */
export class Watcher implements GateOptions {
  readonly recorded: Recorded[] = []
  readonly violations: string[] = []
  isArmed = false
  hasFired = false
  calls = 0
  /** Every seed that was ever sent, stored or not. */
  readonly seeds: string[] = []
  readonly #counter = new Counter()
  readonly #suite: Suite
  readonly #scenario: Scenario
  readonly #plan: Plan | undefined

  constructor(suite: Suite, scenario: Scenario, plan: Plan | undefined) {
    this.#suite = suite
    this.#scenario = scenario
    this.#plan = plan
  }

  onCall = (wire: WireRequest, described: Described) => {
    this.calls += 1
    this.#judge(wire, described)
    this.#noteSeed(wire)
    if (!this.isArmed || this.hasFired) return undefined
    const recorded = this.#counter.next(described, this.#suite.id)
    this.recorded.push(recorded)
    if (recorded.request !== this.#plan?.request || recorded.nth !== this.#plan.nth) return undefined
    this.hasFired = true
    return interceptionOf(this.#plan.fault, this.#suite, described, wire.body)
  }

  #noteSeed({ body }: WireRequest): void {
    if (body?.includes('seed.hex') !== true) return
    const { data } = JSON.parse(body) as { data?: Record<string, string> }
    if (data?.['seed.hex'] !== undefined) this.seeds.push(data['seed.hex'])
  }

  /** I8 and I10, as far as requests tell. */
  #judge({ body = '{}' }: WireRequest, { verb, namespace, name }: Described): void {
    if (verb !== 'delete') return
    const { preconditions } = JSON.parse(body) as { preconditions?: { uid?: string } }
    if (preconditions?.uid === undefined) this.violations.push(`I8 ${namespace}/${name} was deleted without its uid`)
    const isAskedFor = this.#scenario.asksToRemove.some((role) => this.#suite.named(role) === namespace)
    if (!isAskedFor) this.violations.push(`I10 ${namespace}/${name} was deleted although nobody asked for it`)
  }
}
