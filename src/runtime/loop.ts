import { isApiError } from '../kube/api-error.ts'
import type { Clock } from '../kube/clock.ts'
import { type Cluster, printRef, type Ref } from '../kube/cluster.ts'
import { Reads } from '../kube/reads.ts'
import { type KubeObject, keyOf } from '../pure/object.ts'
import { isSettled, type Plan } from '../pure/plan.ts'
import type { Controller } from './controller.ts'
import { type Log, printError } from './log.ts'
import { perform } from './perform.ts'
import type { Queue } from './queue.ts'
import { report, whenFailed } from './report.ts'

// A plan settles in a few passes. One that does not is a bug, and must not become a hot loop.
const mostPassesInARow = 20

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
    const { failure, unsure } = await perform(plan.steps, {
      controller: this.#controller,
      cluster: this.#cluster,
      withheld,
    })
    this.#beUnsure(key, unsure)
    if (failure === undefined && !isSettled(plan)) return this.#again(key)
    // A conflict means that we looked at something old: there is nothing to report but to look again.
    if (isApiError(failure, 'conflict')) throw failure
    await this.#report(key, observed.object, plan, failure)
    if (failure !== undefined) throw failure as Error
    this.#settle(key)
    if (plan.lookAgain !== 'on-change') this.#queue.addAfter(key, plan.lookAgain.after)
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
    if (refs.length > 0) this.#unsure.set(key, [...(this.#unsure.get(key) ?? []), ...refs])
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

  #again(key: string): void {
    const passes = (this.#passes.get(key) ?? 0) + 1
    this.#passes.set(key, passes)
    if (passes >= mostPassesInARow) throw new Error(`the plan has not settled in ${passes} passes`)
    this.#queue.add(key)
  }

  #forget(key: string): void {
    this.#settle(key)
    this.#remarks.delete(key)
  }

  #settle(key: string): void {
    this.#queue.forgive(key)
    this.#passes.delete(key)
  }

  #retry(key: string, error: unknown): void {
    this.#passes.delete(key)
    if (!isApiError(error, 'conflict')) this.#log.warn(this.#facts(key), printError(error))
    this.#queue.retry(key, isApiError(error) ? error.retryAfter : undefined)
  }

  #facts(key: string): object {
    return { controller: this.#controller.name, kind: this.#controller.reconciles.kind, object: key }
  }
}
