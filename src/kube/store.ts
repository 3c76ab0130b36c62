import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'

/** Values that an object is found by. */
export type Index<T> = (object: T) => readonly string[]

export type ChangeListener<T> = (before: T | undefined, after: T | undefined) => void

/**
 * The objects of one kind as last known. The watch *tells*; our own writes and live reads *show*. Whatever is later by
 * resourceVersion wins, so a pass never sees less than we have written, and an echo is no change.
 */
export class Store<T extends KubeObject> {
  readonly #objects = new Map<string, T>()
  readonly #indexes: Readonly<Record<string, Index<T>>>
  readonly #found = new Map<string, Set<string>>()
  readonly #listeners: ChangeListener<T>[] = []
  /** UIDs that we deleted and whose end the watch has not told yet. */
  readonly #deleted = new Set<string>()
  /** The version that list and watch have come to. */
  #version: string | undefined

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

  /** The watch told of this object. */
  told(object: T): void {
    if (!this.#deleted.has(object.metadata.uid)) this.#put(object)
    this.toldVersion(object.metadata.resourceVersion)
  }

  /** The watch told that the object left what is watched: it was deleted, or is no longer selected. */
  toldLeft(object: T): void {
    this.#deleted.delete(object.metadata.uid)
    this.left(object)
    this.toldVersion(object.metadata.resourceVersion)
  }

  toldVersion(version: string): void {
    this.#version = version
  }

  /** A list of everything, taken at this version. */
  toldList(items: readonly T[], version: string): void {
    const uids = new Set(items.map(({ metadata }) => metadata.uid))
    for (const uid of this.#deleted) if (!uids.has(uid)) this.#deleted.delete(uid)
    this.#removeMissing(this.list(), items, version)
    for (const item of items) if (!this.#deleted.has(item.metadata.uid)) this.#put(item)
    this.toldVersion(version)
  }

  /** A write of ours, or a read that began after it, showed the object: so it was not deleted by us before. */
  shown(object: T): void {
    this.#deleted.delete(object.metadata.uid)
    const isKnown = this.#objects.has(printKey(keyOf(object)))
    // What the watch has passed and does not have is gone by now, and no event will ever say so again.
    const isPassed = this.#version !== undefined && !isOlder(this.#version, object.metadata.resourceVersion)
    if (isKnown || !isPassed) this.#put(object)
  }

  /** A live read at this version showed these, and no others, of the objects in question. */
  shownAmong(inQuestion: readonly T[], items: readonly T[], version: string): void {
    this.#removeMissing(inQuestion, items, version)
    for (const item of items) this.shown(item)
  }

  /** At this version the object is not among those that are watched. */
  left({ metadata }: T): void {
    const key = printKey(metadata)
    const before = this.#objects.get(key)
    if (before !== undefined && !isOlder(metadata.resourceVersion, before.metadata.resourceVersion)) {
      this.#change(key, before, undefined)
    }
  }

  /** We deleted it, or looked for it, and the server said that it is gone. */
  gone(key: string, uid: string): void {
    const before = this.#objects.get(key)
    if (before?.metadata.uid !== uid) return
    this.#deleted.add(uid)
    this.#change(key, before, undefined)
  }

  #put(object: T): void {
    const key = printKey(keyOf(object))
    const before = this.#objects.get(key)
    if (before !== undefined && !isOlder(before.metadata.resourceVersion, object.metadata.resourceVersion)) return
    this.#change(key, before, object)
  }

  /** What we wrote after the list was taken is still there. */
  #removeMissing(inQuestion: readonly T[], items: readonly T[], version: string): void {
    const listed = new Set(items.map((item) => printKey(keyOf(item))))
    for (const before of inQuestion) {
      const key = printKey(keyOf(before))
      if (!listed.has(key) && !isOlder(version, before.metadata.resourceVersion)) this.#change(key, before, undefined)
    }
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
