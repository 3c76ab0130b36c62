import { milliseconds, seconds } from '../pure/duration.ts'
import type { Kind } from '../pure/kind.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isApiError } from './api-error.ts'
import type { Client, Extent, Selection } from './client.ts'
import { type Clock, waitFor } from './clock.ts'
import { type Index, Store } from './store.ts'
import { watch } from './watch.ts'

/** Looks at objects while they are whole, before the store keeps what it keeps. */
export interface Inspector {
  saw(object: KubeObject): void
  left(uid: string): void
}

/** What to keep in view of one kind. */
export interface View<T extends KubeObject = KubeObject> {
  readonly kind: Kind
  /** At most a label that must be there, whatever its value, or the name of one object. */
  readonly selection: Selection
  /** What the store keeps. */
  readonly extent: Extent
  readonly indexes: Readonly<Record<string, Index<T>>>
  /** With an inspector, lists bring whole objects although the store keeps metadata only. */
  readonly inspector?: Inspector
}

export interface Wires {
  readonly client: Client
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Says what went wrong with a watch; it goes on by itself. */
  readonly onTrouble: (error: unknown) => void
}

const pageSize = 500

/** Keeps a store equal to what the API server has: a list, then its changes, and again whatever happens. */
export class Informer<T extends KubeObject = KubeObject> {
  readonly view: View<T>
  readonly store: Store<T>
  /** Resolves when the first list is in. */
  readonly synced: Promise<void>
  readonly #wires: Wires
  #markSynced: () => void = () => undefined

  constructor(view: View<T>, wires: Wires) {
    this.view = view
    this.#wires = wires
    this.store = new Store(view.indexes)
    this.store.onChange((before, after) => {
      if (before !== undefined && before.metadata.uid !== after?.metadata.uid) view.inspector?.left(before.metadata.uid)
    })
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve
    })
  }

  /** Runs until the signal is raised. */
  async run(): Promise<void> {
    const { clock, signal, onTrouble } = this.#wires
    let version: string | undefined
    let failures = 0
    while (!this.#isStopped()) {
      try {
        version ??= await this.#list()
        this.#markSynced()
        for await (const next of this.#changes(version)) {
          version = next
          failures = 0
        }
      } catch (error) {
        if (this.#isStopped()) return
        onTrouble(error)
        if (isApiError(error, 'gone')) version = undefined
        await waitFor(clock, pauseAfter(++failures, error), signal)
      }
    }
  }

  #isStopped(): boolean {
    return this.#wires.signal.aborted
  }

  /** Takes in an object that was read or written elsewhere. */
  shown(object: T): void {
    const kept = this.#kept(object)
    this.store.shown(kept)
    // What the store did not take is not there any more, and nobody would ever tell the inspector.
    if (this.store.get(printKey(keyOf(kept)))?.metadata.uid === kept.metadata.uid) this.view.inspector?.saw(object)
  }

  async #list(): Promise<string> {
    const { client } = this.#wires
    const { kind, selection, extent, inspector } = this.view
    const options = { extent: inspector === undefined ? extent : 'whole', limit: pageSize } as const
    const items: T[] = []
    let page = await client.list<T>(kind, selection, options)
    for (;;) {
      for (const item of page.items) {
        inspector?.saw(item)
        items.push(this.#kept(item))
      }
      if (page.next === undefined) break
      page = await client.list<T>(kind, selection, { ...options, next: page.next })
    }
    this.store.toldList(items, page.resourceVersion)
    return page.resourceVersion
  }

  /** Takes in what the watch tells, and yields the version that it has come to. */
  async *#changes(from: string): AsyncGenerator<string> {
    const { client, clock, signal } = this.#wires
    for await (const event of watch<T>(client, clock, { ...this.view, from }, signal)) {
      if (event.type === 'BOOKMARK') this.store.toldVersion(event.object.metadata.resourceVersion)
      else if (event.type === 'DELETED') this.store.toldLeft(this.#kept(event.object))
      else this.store.told(this.#kept(event.object))
      yield event.object.metadata.resourceVersion
    }
  }

  #kept(object: T): T {
    if (this.view.extent === 'whole') return object
    const { apiVersion, kind, metadata } = object
    return { apiVersion, kind, metadata } as T
  }
}

/** At least what the server asks for, else growing with each failure, and never the same for two watches. */
const pauseAfter = (failures: number, error: unknown) => {
  const asked = isApiError(error) ? error.retryAfter : undefined
  const grown = Math.min(seconds(30), seconds(0.8) * 2 ** (failures - 1))
  return milliseconds((asked ?? 0) + grown * (0.5 + Math.random() / 2))
}
