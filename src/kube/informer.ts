import { setImmediate as othersTurn } from 'node:timers/promises'
import { type Duration, milliseconds, minutes } from '../pure/duration.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'
import { errorOfConnection, isApiError } from './api-error.ts'
import type { Client, Selection } from './client.ts'
import { type Clock, waitFor } from './clock.ts'
import { keptBy } from './kept-object.ts'
import { pagesOf } from './pages.ts'
import { ConnectionError } from './port.ts'
import { type Knowledge, Store } from './store.ts'
import type { Turnstile } from './turnstile.ts'
import { pagingOf, selectionOf, type View } from './view.ts'
import { watch, type WatchEvent } from './watch.ts'
import { isNoAnswerToInitialEvents, isSilence, pauseAfter } from './watch-trouble.ts'

export interface Wires {
  readonly client: Client
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How many may take in everything at once: after a server's restart all would, and it would not stand up again. */
  readonly syncs: Turnstile
  /** Says what went wrong with a watch; it goes on by itself. */
  readonly onTrouble: (error: unknown) => void
}

/** Why everything had to be taken in. */
export type SyncReason = 'start' | 'expired' | 'junk' | 'rewound'

interface Sync {
  readonly version: string
  readonly when: Knowledge
  readonly reason: SyncReason
}

// Leases must be renewed and probes answered, however much there is to take in.
const longestHold = milliseconds(10)
// A server may learn to send initial events by an upgrade.
const untilInitialEventsAreTriedAgain = minutes(60)

/** Keeps a store equal to what the API server has: all of it, then its changes, and again whatever happens. */
export class Informer<T extends KubeObject = KubeObject> {
  readonly view: View<T>
  readonly namespace: string | undefined
  readonly store: Store<T>
  /** Resolves when everything is in for the first time. */
  readonly synced: Promise<void>
  /** How often everything was taken in, and why. */
  readonly syncs = new Map<SyncReason, number>()
  readonly #wires: Wires
  readonly #selection: Selection
  #markSynced: () => void = () => undefined
  #isSynced = false
  /** Why everything must be taken in; undefined when the watch can go on from the store's version. */
  #startsOver: SyncReason | undefined = 'start'
  #listsUntil = -Infinity
  #heardAt: number
  #failures = 0

  constructor(view: View<T>, namespace: string | undefined, wires: Wires) {
    this.view = view
    this.namespace = namespace
    this.#wires = wires
    this.#selection = selectionOf(view.choice, namespace)
    this.#heardAt = wires.clock.elapsed()
    this.store = new Store(view.indexes)
    this.store.onChange((before, after) => {
      if (before !== undefined && before.metadata.uid !== after?.metadata.uid) view.inspector?.left(before.metadata.uid)
    })
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve
    })
  }

  get isSynced(): boolean {
    return this.#isSynced
  }

  /** How long ago the server last said anything, bookmarks included. */
  get silence(): Duration {
    return milliseconds(this.#wires.clock.elapsed() - this.#heardAt)
  }

  /** Runs until the signal is raised. */
  async run(): Promise<void> {
    const { clock, signal, onTrouble } = this.#wires
    while (!this.#isStopped()) {
      try {
        await (this.#startsOver === undefined ? this.#takeInChanges() : this.#takeInAll(this.#startsOver))
      } catch (error) {
        if (this.#isStopped()) return
        // A mistake of ours, which trying again does not mend.
        if (!isApiError(error)) throw error
        onTrouble(error)
        await this.#learnFrom(error)
        this.#failures += 1
        await waitFor(clock, pauseAfter(this.#failures, error), signal)
      }
    }
  }

  /** Takes in an object that was read or written elsewhere. */
  shown(object: T): void {
    const kept = keptBy(this.view, object)
    this.store.shown(kept)
    // What the store did not take is not there any more, and nobody would ever tell the inspector.
    if (this.store.get(printKey(keyOf(kept)))?.metadata.uid === kept.metadata.uid) this.view.inspector?.saw(object)
  }

  #isStopped(): boolean {
    return this.#wires.signal.aborted
  }

  async #takeInAll(reason: SyncReason): Promise<void> {
    const leave = await this.#wires.syncs.enter()
    try {
      if (this.#isStopped()) return
      // An inspector sees whole objects once; a stream would go on sending them whole.
      const lists = this.view.inspector !== undefined || this.#wires.clock.elapsed() < this.#listsUntil
      await (lists ? this.#list(reason) : this.#streamAll(reason, leave))
    } finally {
      leave()
    }
  }

  /** Everything by a stream, which then goes on with the changes. Nothing of it counts before its end bookmark. */
  async #streamAll(reason: SyncReason, leave: () => void): Promise<void> {
    const items = new Map<string, T>()
    const when = this.store.knowledge
    try {
      for await (const event of this.#watch(undefined)) {
        this.#heard()
        if (this.#startsOver === undefined) this.#take(event)
        else if (event.type !== 'BOOKMARK') collect(items, event.object, event.type)
        else if (event.endsInitial) {
          await this.#tookInAll([...items.values()], { version: event.version, when, reason })
          // The stream may go on for hours, and would keep what is long outdated.
          items.clear()
          leave()
        }
      }
      if (this.#startsOver !== undefined && !this.#isStopped()) throw this.#brokenOff()
    } catch (error) {
      if (this.#startsOver === undefined || !isNoAnswerToInitialEvents(error)) throw error
      this.#listsUntil = this.#wires.clock.elapsed() + untilInitialEventsAreTriedAgain
    }
  }

  async #list(reason: SyncReason): Promise<void> {
    const { client, clock } = this.#wires
    const { kind } = this.view
    const keep = (item: T) => {
      if (!this.#isStopped()) this.view.inspector?.saw(item)
      return keptBy(this.view, item)
    }
    const items: T[] = []
    const when = this.store.knowledge
    let version = ''
    for await (const page of pagesOf<T>(client, kind, this.#selection, { ...pagingOf(this.view), keep })) {
      if (this.#isStopped()) return
      this.#heardAt = clock.elapsed()
      version = page.resourceVersion
      items.push(...page.items)
    }
    await this.#tookInAll(items, { version, when, reason })
  }

  async #tookInAll(items: readonly T[], { version, when, reason }: Sync): Promise<void> {
    const { clock } = this.#wires
    const steps = this.store.toldAll(items, version, when)
    let since = clock.elapsed()
    while (steps.next().done !== true) {
      if (clock.elapsed() - since < longestHold) continue
      await othersTurn()
      if (this.#isStopped()) return
      since = clock.elapsed()
    }
    this.syncs.set(reason, (this.syncs.get(reason) ?? 0) + 1)
    this.#startsOver = undefined
    this.#isSynced = true
    this.#markSynced()
  }

  async #takeInChanges(): Promise<void> {
    for await (const event of this.#watch(this.store.version)) {
      this.#heard()
      this.#take(event)
    }
  }

  #watch(from: string | undefined): AsyncGenerator<WatchEvent<T>> {
    const { client, clock, signal } = this.#wires
    const { kind, extent } = this.view
    const keep = (object: T) => keptBy(this.view, object)
    return watch<T>(client, clock, { kind, extent, selection: this.#selection, from, keep }, signal)
  }

  #heard(): void {
    this.#heardAt = this.#wires.clock.elapsed()
    // A server that never comes to the end of everything has not recovered.
    if (this.#startsOver === undefined) this.#failures = 0
  }

  #brokenOff(): unknown {
    const cause = new ConnectionError('it ended before it told everything', { wasSent: true })
    return errorOfConnection({ verb: 'watch', kind: this.view.kind }, cause)
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === 'BOOKMARK') this.store.toldVersion(event.version)
    else if (event.type === 'DELETED') this.store.toldLeft(event.object)
    else this.store.told(event.object)
  }

  /** Whether what we have can still be gone on from. */
  async #learnFrom(error: unknown): Promise<void> {
    if (isApiError(error, 'gone')) this.#startsOver ??= error.status === undefined ? 'junk' : 'expired'
    else if (isSilence(error) && (await this.#isRewound())) this.#startsOver = 'rewound'
  }

  /**
   * A server whose storage was restored from a backup is behind us. It accepts our watch and tells nothing until it has
   * caught up with our version.
   */
  async #isRewound(): Promise<boolean> {
    const { latest } = this.store.knowledge
    if (this.#startsOver !== undefined) return false
    try {
      const { kind } = this.view
      const page = await this.#wires.client.list(kind, this.#selection, { extent: 'metadata', limit: 1 })
      return isOlder(page.resourceVersion, latest)
    } catch (error) {
      this.#wires.onTrouble(error)
      return false
    }
  }
}

const collect = <T extends KubeObject>(items: Map<string, T>, object: T, type: 'ADDED' | 'MODIFIED' | 'DELETED') => {
  const key = printKey(keyOf(object))
  if (type === 'DELETED') items.delete(key)
  else items.set(key, object)
}
