import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import { seconds } from '../pure/duration.ts'
import type { Kind } from '../pure/kind.ts'
import type { Meter, RequestOutcome, RequestVerb } from './meter.ts'
import type { Outcome } from './outcome.ts'
import type { Pulse } from './pulse.ts'
import { showPulse } from './pulse-metrics.ts'

// A pass without a write takes milliseconds; after two minutes it is called off.
const passBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** What the process counts, and what can be seen of it, in the words of Prometheus. */
export class Metrics implements Meter {
  readonly #registry = new Registry()
  readonly #passes = new Histogram({
    name: 'holdfast_pass_seconds',
    help: 'How long passes took, and what came of them.',
    labelNames: ['controller', 'outcome'],
    buckets: passBuckets,
    registers: [this.#registry],
  })
  readonly #requests = new Counter({
    name: 'holdfast_requests_total',
    help: 'Requests to the API server, and what came of them.',
    labelNames: ['verb', 'kind', 'outcome'],
    registers: [this.#registry],
  })
  readonly #repairs = new Counter({
    name: 'holdfast_repairs_total',
    help: 'Objects that were not as they should be, and were put right.',
    labelNames: ['kind'],
    registers: [this.#registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Shows the state of an operator too. Once: there is one in a process. */
  show(pulse: Pulse, controllers: readonly string[]): void {
    showPulse(this.#registry, pulse, controllers)
  }

  passed(controller: string, outcome: Outcome['is'], time: number): void {
    this.#passes.observe({ controller, outcome }, time / seconds(1))
  }

  repaired({ kind }: Kind): void {
    this.#repairs.inc({ kind })
  }

  requested(verb: RequestVerb, { kind }: Kind, outcome: RequestOutcome): void {
    this.#requests.inc({ verb, kind, outcome })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
