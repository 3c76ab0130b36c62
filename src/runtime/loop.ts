import { isApiError } from '../kube/api-error.ts'
import type { Client } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import { type Asker, type Cluster, printRef, type Ref } from '../kube/cluster.ts'
import { type Assumptions, Reads } from '../kube/reads.ts'
import { minutes } from '../pure/duration.ts'
import { hasEntryOf } from '../pure/managed-fields.ts'
import { claimAnnotation, reconcileAnnotation } from '../pure/names.ts'
import { type KubeObject, keyOf, parseKey } from '../pure/object.ts'
import { isPaused, whilePaused } from '../pure/pause.ts'
import { isSettled, type Plan } from '../pure/plan.ts'
import { TerminalError } from '../pure/terminal-error.ts'
import type { Controller, Observation } from './controller.ts'
import type { EventRecorder } from './events.ts'
import { KeyMemory } from './key-memory.ts'
import { type Log, printError } from './log.ts'
import type { Meter } from './meter.ts'
import { isConflict, isTerminal, isTerminatingWith, type Outcome } from './outcome.ts'
import { perform, type Performed, type Performing } from './perform.ts'
import type { Queue } from './queue.ts'
import { report, reportUndecided, whenFailed } from './report.ts'
import type { Turns } from './turns.ts'

export interface LoopMeans {
  readonly cluster: Cluster
  readonly queue: Queue
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly events: EventRecorder
  readonly turns: Turns
  readonly client: Client
  readonly operatorNamespace: string
  /** The same, with calls that end with the signal. */
  readonly clientUntil: (signal: AbortSignal) => Client
}

/** What a pass has seen, and what it makes of it. */
export interface Considered {
  readonly observed: Observation
  readonly plan: Plan
}

const longestPass = minutes(2)
const mostConflictsInARow = 5

/** Runs one controller's passes: observe, decide, perform, report. */
export class Loop {
  readonly #controller: Controller
  readonly #means: LoopMeans
  readonly #memory = new KeyMemory()

  constructor(controller: Controller, means: LoopMeans) {
    this.#controller = controller
    this.#means = means
  }

  /** One of the workers that share the queue; ends when the queue is closed or the signal raised. */
  async work(until: AbortSignal): Promise<void> {
    const { queue, clock, meter, turns } = this.#means
    for (;;) {
      const key = await queue.take(until)
      if (key === undefined) return
      await turns.next()
      const began = clock.elapsed()
      const outcome = await this.#pass(key)
      this.#conclude(key, outcome)
      meter.passed(this.#controller.name, outcome.is, clock.elapsed() - began)
      queue.done(key)
    }
  }

  /** The first half of a pass: looks and decides, and does nothing about it. Undefined when there is no such object. */
  async consider(key: string, asker: Asker, assumed?: Assumptions): Promise<Considered | undefined> {
    const observed = await this.#observe(key, asker, assumed)
    return observed && { observed, plan: this.#decide(observed) }
  }

  /** One pass, with whatever comes of it: nothing that goes wrong for one key may reach another. */
  async #pass(key: string): Promise<Outcome> {
    const { clock } = this.#means
    const deadline = new AbortController()
    const late = new Error(`the pass took longer than ${longestPass / minutes(1)} minutes and was called off`)
    const callOff = clock.after(longestPass, () => deadline.abort(late))
    try {
      return await this.#attempt(key, deadline.signal)
    } catch (error) {
      const cause = deadline.signal.aborted ? late : error
      return isTerminal(cause) ? { is: 'terminal', error: cause } : { is: 'retry', error: cause }
    } finally {
      callOff()
    }
  }

  async #attempt(key: string, signal: AbortSignal): Promise<Outcome> {
    const asker = { request: key, client: this.#means.clientUntil(signal) }
    const withheld = await this.#readBack(asker)
    const considered = await this.#considerOrReport(key, asker)
    if (considered === undefined) return { is: 'gone' }
    const { observed, plan } = considered
    this.#remark(key, plan.remark)
    const restlessness = this.#memory.restlessness(key, plan)
    const performed =
      restlessness === undefined
        ? await this.#perform(plan, { asker, withheld })
        : { failure: restlessness, isProgress: false }
    const failure = signal.aborted ? (signal.reason as unknown) : performed.failure
    // What is refused in one place, for however long, does not slow down the rest.
    const goesOn =
      failure === undefined ? !isSettled(plan) : performed.isProgress && isApiError(failure, 'refused', 'terminating')
    if (goesOn) return { is: 'again', after: undefined }
    // Somebody was faster: there is nothing to report but to look again, up to a point.
    if (!this.#isOnlyLate(key, failure)) await this.#report(key, observed.object, plan, failure)
    if (failure !== undefined && plan.lookAgain !== 'on-change') this.#means.queue.addAfter(key, plan.lookAgain.after)
    if (failure !== undefined) throw failure as Error
    return plan.lookAgain === 'on-change' ? { is: 'done' } : { is: 'again', after: plan.lookAgain.after }
  }

  /** What goes wrong before there is a plan is reported like any failure. */
  async #considerOrReport(key: string, asker: Asker): Promise<Considered | undefined> {
    try {
      return await this.consider(key, asker)
    } catch (error) {
      if (!this.#isOnlyLate(key, error)) await this.#reportUndecided(key, error)
      throw error
    }
  }

  async #reportUndecided(key: string, failure: unknown): Promise<void> {
    const { reconciles: kind, name: manager, fieldsWhenFailed } = this.#controller
    const { cluster, client, clock, events, log, operatorNamespace } = this.#means
    const object = cluster.get(kind, parseKey(key))
    if (object === undefined || !isClaimedBy(object, operatorNamespace, manager)) return
    const reporting = { cluster, client, kind, manager, now: clock.now(), events, done: [], fieldsWhenFailed }
    try {
      await reportUndecided(object, failure, reporting)
    } catch (error) {
      log.warn(this.#facts(key), printError(error))
    }
  }

  async #observe(key: string, asker: Asker, assumed?: Assumptions): Promise<Observation | undefined> {
    const { cluster, clock } = this.#means
    const { reconciles } = this.#controller
    const unreadable = cluster.get(reconciles, parseKey(key))?.unreadable
    if (unreadable !== undefined) throw new TerminalError(`cannot read ${reconciles.kind} ${key}: ${unreadable}`)
    const written = this.#memory.takeWritten(key, clock.elapsed())
    const reads = new Reads(cluster, asker, assumed ?? { now: clock.now() }, written)
    const observed = await this.#controller.observe(key, reads)
    const request = observed?.object.metadata.annotations?.[reconcileAnnotation]
    const isAskedAnew = this.#memory.isNewRequest(key, request)
    if (isAskedAnew) await reads.refreshAll()
    const seen = isAskedAnew ? await this.#controller.observe(key, reads) : observed
    if (isAskedAnew) this.#memory.serveRequest(key, request)
    reads.end()
    return seen
  }

  #decide(observed: Observation): Plan {
    const plan = this.#controller.decide(observed)
    return isPaused(observed.object) ? whilePaused(plan) : plan
  }

  async #perform(
    { steps }: Plan,
    { asker, withheld }: Pick<Performing, 'asker' | 'withheld'>,
  ): Promise<Pick<Performed, 'failure'> & { readonly isProgress: boolean }> {
    const { cluster, clock, events, meter } = this.#means
    const means = { asker, controller: this.#controller, cluster, withheld, events, meter }
    const { failure, unsure, done, written } = await perform(steps, means)
    this.#memory.beUnsure(asker.request, unsure)
    this.#memory.didAll(asker.request, done)
    this.#memory.wrote(asker.request, written, clock.elapsed())
    // With something left unclear the pass is not done, even when there was nothing else to do.
    const [unclear] = withheld.values()
    return { failure: failure ?? unclear, isProgress: done.length > 0 }
  }

  #isOnlyLate(key: string, failure: unknown): boolean {
    const isPassing = isConflict(failure) && this.#means.queue.failuresOf(key) < mostConflictsInARow
    return isPassing || isTerminatingWith(key, failure)
  }

  /** Reads live what an earlier pass left unclear. What cannot be read stays unclear, and untouched. */
  async #readBack(asker: Asker): Promise<ReadonlyMap<string, unknown>> {
    const refs = this.#memory.takeUnsure(asker.request)
    const outcomes = await Promise.allSettled(refs.map((ref) => this.#means.cluster.refresh(ref, asker)))
    const failed = refs.flatMap((ref, n): [Ref, unknown][] => {
      const outcome = outcomes[n]
      return outcome?.status === 'rejected' ? [[ref, outcome.reason]] : []
    })
    this.#memory.beUnsure(
      asker.request,
      failed.map(([ref]) => ref),
    )
    return new Map(failed.map(([ref, reason]) => [printRef(ref), reason]))
  }

  /** A failed report never takes the place of the failure that it tells of. */
  async #report(key: string, object: KubeObject, { status }: Plan, failure: unknown): Promise<void> {
    if (status === undefined) return
    const wish = failure === undefined ? status : whenFailed(status, failure)
    const { reconciles: kind, name: manager } = this.#controller
    const { cluster, client, clock, events, log } = this.#means
    try {
      const done = this.#memory.doneFor(key)
      await report(object, wish, { cluster, client, kind, manager, now: clock.now(), events, done })
      this.#memory.toldAll(key)
    } catch (error) {
      this.#memory.beUnsure(key, [{ kind, key: keyOf(object) }])
      if (failure === undefined) throw error
      log.warn(this.#facts(key), printError(error))
    }
  }

  #remark(key: string, remark: string | undefined): void {
    if (this.#memory.isNewRemark(key, remark)) this.#means.log.info(this.#facts(key), remark ?? '')
  }

  #conclude(key: string, outcome: Outcome): void {
    const { queue, log } = this.#means
    if (outcome.is === 'again' && outcome.after === undefined) return queue.add(key)
    if (outcome.is === 'retry') {
      this.#memory.settle(key)
      if (!this.#isOnlyLate(key, outcome.error)) log.warn(this.#facts(key), printError(outcome.error))
      return queue.retry(key, isApiError(outcome.error) ? outcome.error.retryAfter : undefined)
    }
    if (outcome.is === 'terminal') log.error(this.#facts(key), printError(outcome.error))
    if (outcome.is === 'gone') this.#memory.forget(key)
    this.#memory.settle(key)
    queue.forgive(key)
    if (outcome.is === 'again' && outcome.after !== undefined) queue.addAfter(key, outcome.after)
  }

  #facts(key: string): object {
    return { controller: this.#controller.name, kind: this.#controller.reconciles.kind, object: key }
  }
}

/** Whether the object's status is ours to write: it carries our claim, or we have written it before. */
const isClaimedBy = ({ metadata }: KubeObject, operatorNamespace: string, manager: string): boolean => {
  const claim = metadata.annotations?.[claimAnnotation]
  return claim === undefined ? hasEntryOf(metadata.managedFields, manager, 'status') : claim === operatorNamespace
}
