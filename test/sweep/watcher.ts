import type { WireRequest } from '../../src/kube/port.ts'
import type { GateOptions } from '../kit/gate.ts'
import type { Described } from '../kit/request.ts'
import type { Suite } from '../kit/suite.ts'
import { endsWatches, interceptionOf } from './faults.ts'
import { Mishaps } from './mishaps.ts'
import { Counter, type Plan, type Recorded } from './plan.ts'
import type { Scenario } from './scenarios.ts'

// Agents and services with their definitions, Secrets, key lists, workloads and namespaces.
const watchesForAgents = 8
// Besides these: Services, ServiceAccounts and pods.
const watchesForServices = watchesForAgents + 3

/** Watches the requests of one run, and disturbs the one that the plan names. */
export class Watcher implements GateOptions {
  readonly recorded: Recorded[] = []
  readonly violations: string[] = []
  isArmed = false
  #hasFired = false
  /** Watches that were opened after the fault. */
  #opened = 0
  calls = 0
  /** Live reads of single Secrets. */
  looks = 0
  /** Every seed that was ever sent, stored or not. */
  readonly seeds: string[] = []
  /** The call that is yet to arrive, if the plan has made one late. */
  late: { readonly wire: WireRequest; readonly described: Described } | undefined
  readonly mishaps = new Mishaps()
  readonly scenario: Scenario
  readonly #counter = new Counter()
  readonly #suite: Suite
  readonly #plan: Plan | undefined

  constructor(suite: Suite, scenario: Scenario, plan: Plan | undefined) {
    this.#suite = suite
    this.scenario = scenario
    this.#plan = plan
  }

  onCall = (wire: WireRequest, described: Described) => {
    this.calls += 1
    if (described.verb === 'get' && described.plural === 'secrets') this.looks += 1
    this.#judge(wire, described)
    this.#noteSeed(wire)
    if (!this.isArmed || this.#hasFired) return this.mishaps.onCall(wire, described)
    const recorded = this.#counter.next(described, this.#suite.id)
    this.recorded.push(recorded)
    if (recorded.request !== this.#plan?.request || recorded.nth !== this.#plan.nth) return undefined
    this.#hasFired = true
    const keepForLater = () => {
      this.late = { wire, described }
    }
    const { mishaps } = this
    return interceptionOf(this.#plan.fault, { suite: this.#suite, wire, described, mishaps, keepForLater })
  }

  onOpen = (wire: WireRequest) => {
    if (this.#hasFired) this.#opened += 1
    return this.mishaps.onOpen(wire)
  }

  /** Whether the fault happened, with all that belongs to it. A plan that changes nothing proves nothing. */
  get hasFired(): boolean {
    const watches = this.scenario.withServices === true ? watchesForServices : watchesForAgents
    const isWhole = this.#plan === undefined || !endsWatches(this.#plan.fault) || this.#opened >= watches
    return this.#hasFired && isWhole && !this.mishaps.isUnmet
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
    const isAskedFor = this.scenario.asksToRemove.some((role) => this.#suite.named(role) === namespace)
    if (!isAskedFor) this.violations.push(`I10 ${namespace}/${name} was deleted although nobody asked for it`)
  }
}
