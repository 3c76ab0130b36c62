import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'

/** Values that an object is found by. */
export type Index<T> = (object: T) => readonly string[]

export type ChangeListener<T> = (before: T | undefined, after: T | undefined) => void

/**
 * The objects of one kind as last seen. Fed by the watch and by our own writes alike: whatever comes later by
 * resourceVersion wins, so a pass never sees less than we have written, and an echo is no change.
 */
export class Store<T extends KubeObject> {
  readonly #objects = new Map<string, T>()
  readonly #indexes: Readonly<Record<string, Index<T>>>
  readonly #found = new Map<string, Set<string>>()
  readonly #listeners: ChangeListener<T>[] = []
  /** UIDs that we deleted and whose end the watch has not told yet. */
  readonly #deleted = new Set<string>()

  constructor(indexes: Readonly<Record<string, Index<T>>> = {}) {
    this.#indexes = indexes
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  list(): readonly T[] {
    return [...this.#objects.values()]
  }

  find(index: string, value: string): readonly T[] {
    const keys = this.#found.get(`${index}=${value}`) ?? []
    return [...keys].map((key) => this.#objects.get(key)).filter((object) => object !== undefined)
  }

  onChange(listener: ChangeListener<T>): void {
    this.#listeners.push(listener)
  }

  /** The object was seen in this version. */
  saw(object: T): void {
    const key = printKey(keyOf(object))
    const before = this.#objects.get(key)
    if (this.#deleted.has(object.metadata.uid)) return
    if (before !== undefined && !isOlder(before.metadata.resourceVersion, object.metadata.resourceVersion)) return
    this.#change(key, before, object)
  }

  /** The object left what is watched at this version: it was deleted, or is no longer selected. */
  sawLeave({ metadata }: T): void {
    this.#deleted.delete(metadata.uid)
    const key = printKey(metadata)
    const before = this.#objects.get(key)
    if (before !== undefined && !isOlder(metadata.resourceVersion, before.metadata.resourceVersion)) {
      this.#change(key, before, undefined)
    }
  }

  /** We deleted it, and the server said that it is gone. */
  deleted(key: string, uid: string): void {
    const before = this.#objects.get(key)
    if (before?.metadata.uid !== uid) return
    this.#deleted.add(uid)
    this.#change(key, before, undefined)
  }

  /** A list of everything, taken at this version. */
  sawList(items: readonly T[], resourceVersion: string): void {
    const uids = new Set(items.map(({ metadata }) => metadata.uid))
    for (const uid of this.#deleted) if (!uids.has(uid)) this.#deleted.delete(uid)
    this.sawAmong(this.list(), items, resourceVersion)
  }

  /** A list of what there is of the objects in question, taken at this version. What we wrote later is still there. */
  sawAmong(inQuestion: readonly T[], items: readonly T[], resourceVersion: string): void {
    const listed = new Set(items.map((item) => printKey(keyOf(item))))
    for (const before of inQuestion) {
      const key = printKey(keyOf(before))
      const isNewer = isOlder(resourceVersion, before.metadata.resourceVersion)
      if (!listed.has(key) && !isNewer) this.#change(key, before, undefined)
    }
    for (const item of items) this.saw(item)
  }

  #change(key: string, before: T | undefined, after: T | undefined): void {
    if (before !== undefined) this.#index(before, (keys) => keys.delete(key))
    if (after === undefined) this.#objects.delete(key)
    else {
      this.#objects.set(key, after)
      this.#index(after, (keys) => keys.add(key))
    }
    for (const listener of this.#listeners) listener(before, after)
  }

  #index(object: T, update: (keys: Set<string>) => void): void {
    for (const [index, valuesOf] of Object.entries(this.#indexes)) {
      for (const value of valuesOf(object)) {
        const term = `${index}=${value}`
        const keys = this.#found.get(term) ?? new Set()
        update(keys)
        if (keys.size === 0) this.#found.delete(term)
        else this.#found.set(term, keys)
      }
    }
  }
}
