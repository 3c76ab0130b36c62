import type { Store } from '../../src/kube/store.ts'
import type { KubeObject } from '../../src/pure/object.ts'

/** Follows what a store tells its listeners, and finds what a listener would have been misled by. */
export class EventTrail {
  readonly #last = new Map<string, KubeObject>()
  #fault: string | undefined
  readonly #gone = new Set<string>()
  readonly #leftAt = new Map<string, number>()
  #mayGoBack = false

  constructor(store: Store<KubeObject>) {
    store.onChange((before, after) => this.#changed(before, after))
  }

  /** From now on a version may be told again: the server was taken back. */
  forgiveRepetitions(): void {
    this.#mayGoBack = true
    this.#gone.clear()
    this.#leftAt.clear()
  }

  /** We deleted it: nobody may be told of it again. */
  expectNoMore(uid: string): void {
    this.#gone.add(uid)
  }

  /** It left at this version: nobody may be told of an earlier one. */
  expectNoneUpTo({ metadata }: KubeObject): void {
    this.#leftAt.set(metadata.uid, Number(metadata.resourceVersion))
  }

  /** What was wrong, now that these are there and no others. */
  fault(objects: readonly KubeObject[]): string | undefined {
    const told = [...this.#last.values()].map(print).sort()
    const there = objects.map(print).sort()
    const isEqual = told.join() === there.join()
    return this.#fault ?? (isEqual ? undefined : `the events end in ${told.join()}, but there is ${there.join()}`)
  }

  #changed(before: KubeObject | undefined, after: KubeObject | undefined): void {
    const name = (after ?? before)?.metadata.name ?? ''
    const known = this.#last.get(name)
    if (print(before) !== print(known))
      this.#fault ??= `${name} was ${print(known)}, but is told to have been ${print(before)}`
    if (before !== undefined && after !== undefined && !this.#mayGoBack && versionOf(after) <= versionOf(before)) {
      this.#fault ??= `${name} went from ${print(before)} to ${print(after)}`
    }
    if (after !== undefined && this.#isOver(after)) this.#fault ??= `${print(after)} came back`
    if (after === undefined) this.#last.delete(name)
    else this.#last.set(name, after)
  }

  #isOver(object: KubeObject): boolean {
    return this.#gone.has(object.metadata.uid) || versionOf(object) <= (this.#leftAt.get(object.metadata.uid) ?? -1)
  }
}

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion)

const print = (object: KubeObject | undefined): string =>
  object === undefined ? 'nothing' : `${object.metadata.uid}@${object.metadata.resourceVersion}`
