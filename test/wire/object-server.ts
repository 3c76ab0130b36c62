import { type KubeObject, keyOf, type ObjectKey, printKey } from '../../src/pure/object.ts'

export interface Thing extends KubeObject {
  readonly data: Readonly<Record<string, string>>
}

export interface Change {
  readonly version: number
  readonly before: Thing | undefined
  readonly after: Thing | undefined
}

export type Selects = (thing: Thing) => boolean

/** One event of a watch, before it is put on the wire. */
export interface Told {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Thing
}

/** What an API server knows of one kind: its objects, and how they came to be what they are. */
export class ObjectServer {
  readonly #things = new Map<string, Thing>()
  readonly #listeners = new Set<() => void>()
  #history: Change[] = []
  #version = 100
  #uids = 0
  /** Changes up to this version are no longer known. */
  #compacted = 0

  get version(): number {
    return this.#version
  }

  get compacted(): number {
    return this.#compacted
  }

  list(): readonly Thing[] {
    return [...this.#things.values()]
  }

  get(key: ObjectKey): Thing | undefined {
    return this.#things.get(printKey(key))
  }

  put(key: ObjectKey, data: Thing['data'], labels: Readonly<Record<string, string>>): Thing {
    const before = this.get(key)
    const uid = before?.metadata.uid ?? `uid-${(this.#uids += 1)}`
    const resourceVersion = String((this.#version += 1))
    const { namespace, name } = key
    const metadata = { ...(namespace !== undefined && { namespace }), name, uid, resourceVersion, labels }
    const after: Thing = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
    this.#things.set(printKey(key), after)
    this.#changed({ version: this.#version, before, after })
    return after
  }

  delete(key: ObjectKey): Thing | undefined {
    const before = this.get(key)
    if (before === undefined) return undefined
    this.#version += 1
    this.#things.delete(printKey(key))
    this.#changed({ version: this.#version, before, after: undefined })
    return before
  }

  /** Somebody changes an object of another kind: the version moves on, and nothing happens here. */
  tick(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }

  /** Forgets how things came to be. */
  compact(): void {
    this.#compacted = this.#version
    this.#history = []
  }

  /** The storage is restored from a backup that was taken before this version, and so many changes more. */
  rewindBehind(version: number, changes: number): void {
    const last = this.#history.findLastIndex((change) => change.version <= version)
    if (last !== -1) this.#undo(this.#history.splice(Math.max(last - changes, 0)))
  }

  #undo(undone: readonly Change[]): void {
    for (const { before, after } of undone.toReversed()) {
      if (before !== undefined) this.#things.set(printKey(keyOf(before)), before)
      else if (after !== undefined) this.#things.delete(printKey(keyOf(after)))
    }
    const [first] = undone
    if (first !== undefined) this.#version = first.version - 1
  }

  /** What a watch from this version is told, as far as it has happened. */
  since(version: number, selects: Selects): readonly Told[] {
    return this.#history.filter((change) => change.version > version).flatMap((change) => told(change, selects))
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(change: Change): void {
    this.#history.push(change)
    for (const listener of this.#listeners) listener()
  }
}

/** A watch sees an object come and go as it is selected, whatever else happens to it. */
const told = ({ version, before, after }: Change, selects: Selects): readonly Told[] => {
  const was = before !== undefined && selects(before)
  const is = after !== undefined && selects(after)
  if (is) return [{ type: was ? 'MODIFIED' : 'ADDED', object: after }]
  if (!was) return []
  const metadata = { ...before.metadata, resourceVersion: String(version) }
  return [{ type: 'DELETED', object: { ...before, metadata } }]
}
