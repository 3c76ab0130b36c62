import { printRef, type Ref } from '../kube/cluster.ts'
import type { Written } from '../kube/reads.ts'
import { seconds } from '../pure/duration.ts'
import { type Effect, targetOf } from '../pure/effects.ts'
import { printKey } from '../pure/object.ts'
import { isSettled, type Plan } from '../pure/plan.ts'
import { isTold } from './tell.ts'

const mostPassesInARow = 20
// More would not go into one event.
const mostUntold = 1000
const justNow = seconds(5)

/** What a loop remembers of its keys from one pass to the next. Nothing of it is needed after a restart. */
export class KeyMemory {
  /** Objects to be read live before the next pass. */
  readonly #unsure = new Map<string, readonly Ref[]>()
  /** Passes since it last settled. */
  readonly #passes = new Map<string, number>()
  /** What was last remarked, so that it is said once. */
  readonly #remarks = new Map<string, string>()
  /** What was done and is still to be told. */
  readonly #done = new Map<string, readonly Effect[]>()
  /** What the last pass wrote, and when. */
  readonly #written = new Map<string, { readonly written: Written; readonly at: number }>()
  /** The request for a new look that was last served. */
  readonly #served = new Map<string, string | undefined>()

  beUnsure(key: string, refs: readonly Ref[]): void {
    const known = this.#unsure.get(key) ?? []
    const more = refs.filter((ref) => known.every((other) => printRef(other) !== printRef(ref)))
    if (more.length > 0) this.#unsure.set(key, [...known, ...more])
  }

  takeUnsure(key: string): readonly Ref[] {
    const refs = this.#unsure.get(key) ?? []
    this.#unsure.delete(key)
    return refs
  }

  didAll(key: string, effects: readonly Effect[]): void {
    const told = effects.filter(isTold)
    if (told.length > 0) this.#done.set(key, [...(this.#done.get(key) ?? []), ...told].slice(-mostUntold))
  }

  doneFor(key: string): readonly Effect[] {
    return this.#done.get(key) ?? []
  }

  toldAll(key: string): void {
    this.#done.delete(key)
  }

  wrote(key: string, written: Written, at: number): void {
    if (written.size > 0) this.#written.set(key, { written, at })
  }

  /** What the pass before wrote, if that was just now. */
  takeWritten(key: string, now: number): Written {
    const last = this.#written.get(key)
    this.#written.delete(key)
    return last === undefined || now - last.at > justNow ? new Map() : last.written
  }

  isNewRemark(key: string, remark: string | undefined): boolean {
    if (remark === this.#remarks.get(key)) return false
    if (remark === undefined) this.#remarks.delete(key)
    else this.#remarks.set(key, remark)
    return remark !== undefined
  }

  /** Whether somebody asks for a new look. What was asked for before we began has been served by beginning. */
  isNewRequest(key: string, request: string | undefined): boolean {
    if (!this.#served.has(key)) this.#served.set(key, request)
    return request !== undefined && this.#served.get(key) !== request
  }

  serveRequest(key: string, request: string | undefined): void {
    this.#served.set(key, request)
  }

  /** A plan settles in a few passes. One that does not is a bug or a fight, and must not become a hot loop. */
  restlessness(key: string, plan: Plan): Error | undefined {
    if (isSettled(plan)) return undefined
    const passes = (this.#passes.get(key) ?? 0) + 1
    this.#passes.set(key, passes)
    if (passes < mostPassesInARow) return undefined
    const wanted = plan.steps.flat().map((effect) => `${effect.do} ${printKey(targetOf(effect))}`)
    return new Error(`not at rest after ${passes} passes, and still to ${wanted.join(', ')}`)
  }

  settle(key: string): void {
    this.#passes.delete(key)
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#remarks.delete(key)
    this.#unsure.delete(key)
    this.#served.delete(key)
    this.#done.delete(key)
    this.#written.delete(key)
  }
}
