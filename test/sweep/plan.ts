import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ConfigMap, Event, Secret, StatefulSet } from '../../src/pure/kind.ts'
import type { Described } from '../kit/request.ts'
import { isWrite, printRequest } from '../kit/request.ts'
import {
  agentWriteFaults,
  connectionFaults,
  eventFaults,
  type Fault,
  keyWriteFaults,
  readFaults,
  serviceWriteFaults,
  startFaults,
  upstreamFaults,
  writeFaults,
} from './faults.ts'
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
  const { all, faultsOf, once } = disturbancesOf(scenario, recorded)
  const firstWrite = all.find(({ described }) => isWrite(described))
  return all.flatMap((one) => {
    const faults = [...faultsOf(one.described), ...(one === firstWrite ? once : [])]
    return faults.map((fault) => ({ scenario, request: one.request, nth: one.nth, fault }))
  })
}

interface Disturbances {
  readonly all: readonly Recorded[]
  readonly faultsOf: (described: Described) => readonly Fault[]
  /** At the first write alone. */
  readonly once: readonly Fault[]
}

const disturbancesOf = (scenario: Scenario, recorded: readonly Recorded[]): Disturbances => {
  const isSpared = scenario.isSpared === true
  if (scenario.withServices === true) return ofBoth(recorded, isSpared)
  return isSpared ? ofKeys(recorded) : ofAgents(recorded)
}

const ofAgents = (all: readonly Recorded[]): Disturbances => ({
  all,
  faultsOf: byVerb(writeFaults),
  once: startFaults,
})

const ofKeys = (all: readonly Recorded[]): Disturbances => ({
  all,
  faultsOf: byVerb(agentWriteFaults),
  once: [...connectionFaults, ...startFaults],
})

const byVerb =
  (ofWrites: readonly Fault[]) =>
  (described: Described): readonly Fault[] => {
    if (!isWrite(described)) return readFaults
    return described.plural === Event.plural ? eventFaults : ofWrites
  }

const ofBoth = (recorded: readonly Recorded[], isSpared: boolean): Disturbances => ({
  // Of two controllers that follow each other, one may see two steps of the other at once: how often it writes varies,
  // and whether an agent says anything before it is gone. Nor does a service wait for what an agent says.
  all: recorded.filter(({ nth, described }) => nth === 1 && !isTelling(described)),
  faultsOf(described) {
    const { verb, plural } = described
    if (!isWrite(described)) return readFaults
    if (plural === Secret.plural || plural === LedgerClusterAgent.plural) return upstreamFaults
    const isOfKeys = plural === ConfigMap.plural || plural === StatefulSet.plural
    if (isOfKeys && verb !== 'mark') return keyWriteFaults
    return isSpared ? [] : serviceWriteFaults
  },
  once: isSpared ? [] : [...connectionFaults, ...startFaults],
})

const isTelling = ({ verb, plural }: Described): boolean =>
  plural === Event.plural || (verb === 'status' && plural === LedgerClusterAgent.plural)

export const printPlan = ({ scenario, request, nth, fault }: Plan): string =>
  `${scenario.name} · ${request} #${nth} · ${fault}`
