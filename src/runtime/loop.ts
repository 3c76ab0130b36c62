import { isApiError } from '../kube/api-error.ts'
import type { Clock } from '../kube/clock.ts'
import { type Cluster, printRef, type Ref } from '../kube/cluster.ts'
import { Reads } from '../kube/reads.ts'
import { targetOf } from '../pure/effects.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isSettled, type Plan } from '../pure/plan.ts'
import type { Controller } from './controller.ts'
import { type Log, printError } from './log.ts'
import { perform } from './perform.ts'
import type { Queue } from './queue.ts'
import { report, whenFailed } from './report.ts'

const mostPassesInARow = 20
const mostConflictsInARow = 5

/** Runs one controller's passes: observe, decide, perform, report. */
export class Loop {
  readonly #controller: Controller
  readonly #cluster: Cluster
  readonly #queue: Queue
  readonly #clock: Clock
  readonly #log: Log
  /** By key: objects to be read live before its next pass. */
  readonly #unsure = new Map<string, readonly Ref[]>()
  /** By key: passes since it last settled. */
  readonly #passes = new Map<string, number>()
  /** By key: what was last remarked on it, so that it is said once. */
  readonly #remarks = new Map<string, string>()

  constructor(controller: Controller, means: { cluster: Cluster; queue: Queue; clock: Clock; log: Log }) {
    this.#controller = controller
    this.#cluster = means.cluster
    this.#queue = means.queue
    this.#clock = means.clock
    this.#log = means.log
  }

  /** One of the workers that share the queue; ends when the queue is closed. */
  async work(): Promise<void> {
    for (;;) {
      const key = await this.#queue.take()
      if (key === undefined) return
      try {
        await this.#pass(key)
      } catch (error) {
        this.#retry(key, error)
      } finally {
        this.#queue.done(key)
      }
    }
  }

  async #pass(key: string): Promise<void> {
    const withheld = await this.#readBack(key)
    const reads = new Reads(this.#cluster, key)
    const observed = await this.#controller.observe(key, reads)
    reads.end()
    if (observed === undefined) return this.#forget(key)
    const plan = this.#controller.decide(observed)
    this.#remark(key, plan.remark)
    const failure = this.#restlessness(key, plan) ?? (await this.#perform(key, plan, withheld))
    if (failure === undefined && !isSettled(plan)) return this.#queue.add(key)
    if (this.#isOnlyLate(key, failure)) throw failure as Error
    await this.#report(key, observed.object, plan, failure)
    if (failure !== undefined) throw failure as Error
    this.#settle(key)
    if (plan.lookAgain !== 'on-change') this.#queue.addAfter(key, plan.lookAgain.after)
  }

  /** Why it failed, if it did. */
  async #perform(key: string, { steps }: Plan, withheld: ReadonlyMap<string, unknown>): Promise<unknown> {
    const means = { request: key, controller: this.#controller, cluster: this.#cluster, withheld }
    const { failure, unsure } = await perform(steps, means)
    this.#beUnsure(key, unsure)
    // With something left unclear the pass is not done, even when there was nothing else to do.
    const [unclear] = withheld.values()
    return failure ?? unclear
  }

  /** A conflict means that we looked at something old: there is nothing to report but to look again, up to a point. */
  #isOnlyLate(key: string, failure: unknown): boolean {
    return isApiError(failure, 'conflict') && this.#queue.failuresOf(key) < mostConflictsInARow
  }

  /** A plan settles in a few passes. One that does not is a bug or a fight, and must not become a hot loop. */
  #restlessness(key: string, plan: Plan): Error | undefined {
    if (isSettled(plan)) return undefined
    const passes = (this.#passes.get(key) ?? 0) + 1
    this.#passes.set(key, passes)
    if (passes < mostPassesInARow) return undefined
    const wanted = plan.steps.flat().map((effect) => `${effect.do} ${printKey(targetOf(effect))}`)
    return new Error(`not at rest after ${passes} passes, and still to ${wanted.join(', ')}`)
  }

  /** Reads live what an earlier pass left unclear. What cannot be read stays unclear, and untouched. */
  async #readBack(key: string): Promise<ReadonlyMap<string, unknown>> {
    const refs = this.#unsure.get(key) ?? []
    this.#unsure.delete(key)
    const outcomes = await Promise.allSettled(refs.map((ref) => this.#cluster.refresh(ref, key)))
    const failed = refs.flatMap((ref, n) => {
      const outcome = outcomes[n]
      return outcome?.status === 'rejected' ? [{ ref, reason: outcome.reason as unknown }] : []
    })
    this.#beUnsure(
      key,
      failed.map(({ ref }) => ref),
    )
    return new Map(failed.map(({ ref, reason }) => [printRef(ref), reason]))
  }

  #beUnsure(key: string, refs: readonly Ref[]): void {
    const known = this.#unsure.get(key) ?? []
    const more = refs.filter((ref) => known.every((other) => printRef(other) !== printRef(ref)))
    if (more.length > 0) this.#unsure.set(key, [...known, ...more])
  }

  /** A failed report never takes the place of the failure that it tells of. */
  async #report(key: string, object: KubeObject, { status }: Plan, failure: unknown): Promise<void> {
    if (status === undefined) return
    const wish = failure === undefined ? status : whenFailed(status, failure)
    const { reconciles: kind, name: manager } = this.#controller
    try {
      await report(this.#cluster, object, wish, { kind, manager, now: this.#clock.now() })
    } catch (error) {
      this.#beUnsure(key, [{ kind, key: keyOf(object) }])
      if (failure === undefined) throw error
      this.#log.warn(this.#facts(key), printError(error))
    }
  }

  #remark(key: string, remark: string | undefined): void {
    if (remark === this.#remarks.get(key)) return
    if (remark === undefined) this.#remarks.delete(key)
    else {
      this.#remarks.set(key, remark)
      this.#log.info(this.#facts(key), remark)
    }
  }

  #forget(key: string): void {
    this.#settle(key)
    this.#remarks.delete(key)
    this.#unsure.delete(key)
  }

  #settle(key: string): void {
    this.#queue.forgive(key)
    this.#passes.delete(key)
  }

  #retry(key: string, error: unknown): void {
    this.#passes.delete(key)
    if (!this.#isOnlyLate(key, error)) this.#log.warn(this.#facts(key), printError(error))
    this.#queue.retry(key, isApiError(error) ? error.retryAfter : undefined)
  }

  #facts(key: string): object {
    return { controller: this.#controller.name, kind: this.#controller.reconciles.kind, object: key }
  }
}
