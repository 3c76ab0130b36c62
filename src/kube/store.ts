import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'
import type { Index } from './view.ts'

// Their ends have long been told; this only keeps memory bounded.
const mostRemembered = 10_000

/** How far a store has come. A server that answers with less was taken back. */
export interface Knowledge {
  /** The latest version that it has heard of, by whatever way. */
  readonly latest: string
  /** UIDs that the server has said are gone: none is ever given out again. */
  readonly deleted: ReadonlySet<string>
}

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
  readonly #deleted = new Set<string>()
  /** By key: the version at which it was seen to have left, until the watch has come that far. */
  readonly #leftAt = new Map<string, string>()
  /** The version that list and watch have come to. */
  #version: string | undefined
  #latest = '0'

  constructor(indexes: Readonly<Record<string, Index<T>>> = {}) {
    this.#indexes = indexes
  }

  /** Undefined before everything was told once. */
  get version(): string | undefined {
    return this.#version
  }

  /** What is known now, for comparison with the answer to what is asked now. */
  get knowledge(): Knowledge {
    return { latest: this.#latest, deleted: new Set(this.#deleted) }
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

  isIndexedBy(index: string): boolean {
    return Object.hasOwn(this.#indexes, index)
  }

  onChange(listener: ChangeListener<T>): void {
    this.#listeners.push(listener)
  }

  /** The watch told of this object. What it tells a second time, or late, is not so any more. */
  told(object: T): void {
    if (!this.#deleted.has(object.metadata.uid) && !this.#hasPassed(object)) this.#put(object)
    this.toldVersion(object.metadata.resourceVersion)
  }

  /** The watch told that the object left what is watched: it was deleted, or is no longer selected. */
  toldLeft(object: T): void {
    this.left(object)
    this.toldVersion(object.metadata.resourceVersion)
  }

  /** The watch has come to this version, and never goes back. */
  toldVersion(version: string): void {
    if (this.#version === undefined || isOlder(this.#version, version)) this.#comeTo(version)
  }

  /**
   * Everything there is at this version; `when`: what was known when we asked. It is taken in step by step, and others may
   * run between two steps. What goes comes last, so that what they showed meanwhile is looked at too.
   */
  *toldAll(items: readonly T[], version: string, when: Knowledge): Generator<undefined, void> {
    // Nobody but a restored backup takes a server back: what we know is of a time that never was.
    if (isOlder(version, when.latest)) this.#forgetAllBut(items)
    this.#thinkAgainOfDeleted(items, when)
    const listed = new Set<string>()
    for (const item of items) {
      listed.add(printKey(keyOf(item)))
      this.#forgetIfRewritten(item, version)
      if (!this.#deleted.has(item.metadata.uid)) this.#put(item)
      yield
    }
    // As it is at each step: what is shown on the way comes at its end.
    for (const [key, before] of this.#objects) {
      if (!listed.has(key)) this.#missed(key, before, version)
      yield
    }
    this.#comeTo(version)
  }

  /** A write of ours, or a read that began after it, showed the object: so it was not deleted by us before. */
  shown(object: T): void {
    this.#deleted.delete(object.metadata.uid)
    const isKnown = this.#objects.has(printKey(keyOf(object)))
    // What the watch has passed and does not have is gone by now, and no event will ever say so again.
    if (isKnown || !this.#hasPassed(object)) this.#put(object)
    this.#heardOf(object.metadata.resourceVersion)
  }

  /**
   * At this version there were none of the objects in question but these: the others are gone. What we wrote later than
   * that is still there.
   */
  toldNoneBut(listed: ReadonlySet<string>, inQuestion: readonly T[], version: string): void {
    for (const before of inQuestion) {
      const key = printKey(keyOf(before))
      if (!listed.has(key)) this.#missed(key, before, version)
    }
  }

  /** At this version the object is not among those that are watched. */
  left({ metadata }: T): void {
    const key = printKey(metadata)
    const before = this.#objects.get(key)
    if (before !== undefined && !isOlder(metadata.resourceVersion, before.metadata.resourceVersion)) {
      this.#change(key, before, undefined)
    }
    if (isOlder(this.#leftAt.get(key) ?? '0', metadata.resourceVersion)) this.#leftAt.set(key, metadata.resourceVersion)
    this.#heardOf(metadata.resourceVersion)
  }

  /** We deleted it, or looked for it, and the server said that it is gone. */
  gone(key: string, uid: string): void {
    this.#deleted.add(uid)
    const [oldest] = this.#deleted
    if (this.#deleted.size > mostRemembered && oldest !== undefined) this.#deleted.delete(oldest)
    const before = this.#objects.get(key)
    if (before?.metadata.uid === uid) this.#change(key, before, undefined)
  }

  #comeTo(version: string): void {
    this.#version = version
    for (const [key, left] of this.#leftAt) if (!isOlder(version, left)) this.#leftAt.delete(key)
    this.#heardOf(version)
  }

  #hasPassed({ metadata }: T): boolean {
    return this.#version !== undefined && !isOlder(this.#version, metadata.resourceVersion)
  }

  #heardOf(version: string): void {
    if (isOlder(this.#latest, version)) this.#latest = version
  }

  /** It was not there at this version. */
  #missed(key: string, before: T, version: string): void {
    if (!isOlder(version, before.metadata.resourceVersion)) this.#change(key, before, undefined)
  }

  /** What was gone when we asked is forgotten if it still is, and has come back if it is not. */
  #thinkAgainOfDeleted(items: readonly T[], when: Knowledge): void {
    if (this.#deleted.size === 0) return
    const uids = new Set(items.map(({ metadata }) => metadata.uid))
    for (const uid of this.#deleted) if (when.deleted.has(uid) || !uids.has(uid)) this.#deleted.delete(uid)
  }

  /**
   * A server that was restored with its versions moved on shows an object as it was before what we have seen of it, at a
   * version by which it must have been so: what we have seen never was.
   */
  #forgetIfRewritten(item: T, version: string): void {
    const key = printKey(keyOf(item))
    const before = this.#objects.get(key)
    if (before?.metadata.uid !== item.metadata.uid || isOlder(version, before.metadata.resourceVersion)) return
    if (isOlder(item.metadata.resourceVersion, before.metadata.resourceVersion)) this.#change(key, before, undefined)
  }

  #forgetAllBut(items: readonly T[]): void {
    this.#deleted.clear()
    this.#leftAt.clear()
    this.#latest = '0'
    const kept = new Set(items.map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`))
    for (const before of this.list()) {
      const { uid, resourceVersion } = before.metadata
      if (!kept.has(`${uid} ${resourceVersion}`)) this.#change(printKey(keyOf(before)), before, undefined)
    }
  }

  #put(object: T): void {
    const key = printKey(keyOf(object))
    const before = this.#objects.get(key)
    const last = before?.metadata.resourceVersion ?? this.#leftAt.get(key)
    if (last === undefined || isOlder(last, object.metadata.resourceVersion)) this.#change(key, before, object)
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
      for (const value of foundBy(valuesOf, object)) {
        const term = `${index}=${value}`
        const keys = this.#found.get(term) ?? new Set()
        update(keys)
        if (keys.size === 0) this.#found.delete(term)
        else this.#found.set(term, keys)
      }
    }
  }
}

/** An object that an index fails on is not found by it. */
const foundBy = <T>(valuesOf: Index<T>, object: T): readonly string[] => {
  try {
    return valuesOf(object)
  } catch {
    return []
  }
}
