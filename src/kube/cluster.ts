import type { Kind } from '../pure/kind.ts'
import { type KubeObject, keyOf, type ObjectKey, printKey } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'
import type { Scope } from '../pure/scope.ts'
import { ApiError } from './api-error.ts'
import type { Client } from './client.ts'
import { Followed } from './followed.ts'
import { InView } from './in-view.ts'
import type { Informer, Wires } from './informer.ts'
import { keptBy } from './kept-object.ts'
import { pagesOf } from './pages.ts'
import { SharedLists } from './shared-lists.ts'
import type { Store } from './store.ts'
import { type Choice, isChosen, pagingOf, selectionOf, type View } from './view.ts'

/** With more objects of one value, a list is not shared. */
const mostShared = 20

/** One object of one kind. */
export interface Ref {
  readonly kind: Kind
  readonly key: ObjectKey
}

export const printRef = ({ kind, key }: Ref): string => `${printKind(kind)} ${printKey(key)}`

const printKind = ({ group, kind }: Kind): string => `${group}/${kind}`

/** Objects of one kind that are read live: with this value of a label, or of this name; in one namespace if it is named. */
export interface LiveChoice extends Omit<Choice, 'values'> {
  readonly namespace?: string
  readonly value?: string
}

/** An object as the server had it at the time of a read: all of it, and as a store keeps it. */
export interface ReadObject {
  readonly whole: KubeObject
  readonly kept: KubeObject
}

/** On whose behalf something is read or written, and by what means. */
export interface Asker {
  readonly request: string
  readonly client: Client
}

export interface ClusterOptions {
  readonly wires: Wires
  readonly scope: Scope
  /** An object changed that these requests follow by its name. */
  readonly onFollowedChange: (requests: ReadonlySet<string>) => void
  /** An informer ended although nobody asked it to. */
  readonly onCollapse: (error: unknown) => void
}

/**
 * What one controller sees of a cluster: the stores of its views, brought up to date by live reads where the stakes ask
 * for it, and by every answer to a write.
 */
export class Cluster {
  readonly #options: ClusterOptions
  readonly #closed = new AbortController()
  readonly #inView = new Map<string, InView>()
  readonly #followed: Followed
  readonly #sharedLists = new SharedLists()
  #causes: ReadonlySet<string> = new Set()

  constructor(options: ClusterOptions) {
    this.#options = options
    this.#followed = new Followed(options.onFollowedChange)
  }

  /** Starts to keep a kind in view. */
  keepInView<T extends KubeObject>(view: View<T>): InView<T> {
    const name = printKind(view.kind)
    if (this.#inView.has(name)) throw new Error(`${view.kind.kind} is in view already`)
    const inView = new InView(view, this.#options.scope, this.#wiresUntil(this.#closed.signal))
    this.#inView.set(name, inView as unknown as InView)
    for (const informer of inView.informers) this.#run(informer as unknown as Informer)
    return inView
  }

  /** Forgets everything, and hears of nothing any more. */
  close(): void {
    this.#closed.abort()
    this.#inView.clear()
    this.#followed.drop()
  }

  get informers(): readonly Informer[] {
    return [...[...this.#inView.values()].flatMap(({ informers }) => informers), ...this.#followed.informers]
  }

  get<T extends KubeObject>(kind: Kind, key: ObjectKey): T | undefined {
    const inView = this.#inViewOf(kind).get(key)
    return (inView ?? this.#followed.get(printRef({ kind, key }))) as T | undefined
  }

  list<T extends KubeObject>(kind: Kind): readonly T[] {
    return this.#inViewOf(kind).list() as unknown as readonly T[]
  }

  find<T extends KubeObject>(kind: Kind, index: string, value: string): readonly T[] {
    return this.#inViewOf(kind).find(index, value) as unknown as readonly T[]
  }

  /** The objects of this name in any namespace; the kind's view must be indexed by name. */
  named<T extends KubeObject>(kind: Kind, name: string): readonly T[] {
    const inView = this.find<T>(kind, 'name', name)
    const isInView = ({ metadata }: KubeObject) => inView.some((object) => object.metadata.uid === metadata.uid)
    const followed = this.#followed.named(kind, name).filter((object) => !isInView(object))
    return [...inView, ...(followed as unknown as readonly T[])]
  }

  /**
   * Whether this request's own write or read is being taken in. It knows of the change already: to wake it would be to run
   * in circles, past every pause.
   */
  isCausedBy(request: string): boolean {
    return this.#causes.has(request)
  }

  /** Takes in what these requests have just written or read. */
  onBehalfOf(requests: ReadonlySet<string>, takeIn: () => void): void {
    this.#causes = requests
    try {
      takeIn()
    } finally {
      this.#causes = new Set()
    }
  }

  /** Takes in an object as the server just had it. */
  shown(kind: Kind, object: KubeObject): void {
    const inView = this.#inViewOf(kind)
    if (inView.includes(object)) for (const informer of inView.informersFor(object.metadata)) informer.shown(object)
    this.#followed.informerOf(printRef({ kind, key: object.metadata }))?.shown(object)
  }

  /** The server said that this object is gone. */
  gone(ref: Ref, uid: string): void {
    const followed = this.#followed.informerOf(printRef(ref))
    for (const { store } of [...this.#inViewOf(ref.kind).informersFor(ref.key), ...(followed ? [followed] : [])]) {
      store.gone(printKey(ref.key), uid)
    }
  }

  /** Whether we may see an object of this name at all. */
  isInScope({ kind, key }: Ref): boolean {
    return this.#inViewOf(kind).informersFor(key).length > 0
  }

  /**
   * Reads one object live; undefined when there is none. Where it is outside our selection it is followed by name, on
   * behalf of the request. By the time of the answer the store may have something newer.
   */
  async refresh(ref: Ref, { request, client }: Asker): Promise<ReadObject | undefined> {
    const { kind, key } = ref
    const { view } = this.#inViewOf(kind)
    const before = this.get(kind, key)
    const object = await client.get(kind, key, view.inspector === undefined ? view.extent : 'whole')
    assertNotTakenBack(ref, before, object)
    const requests = new Set([request])
    this.onBehalfOf(requests, () => {
      if (object !== undefined) this.#take(ref, object, requests)
      // Of what appeared while we asked, the answer knows nothing.
      else if (before !== undefined) this.gone(ref, before.metadata.uid)
    })
    return object && { whole: object, kept: keptBy(view, object) }
  }

  /**
   * Reads live all objects that are chosen so, in every namespace that we may see or in one of them. Requests that wait
   * for the same objects, or for other values of the same label, share a list. A value that many objects carry has lists
   * of its own, so that a tenant who plants such objects does not slow down other requests.
   */
  async refreshChosen(kind: Kind, choice: LiveChoice, { request }: Pick<Asker, 'request'>): Promise<void> {
    const { namespace, label, value, name } = choice
    const isListedWhole = value === undefined
    const isCrowded = !isListedWhole && this.#countOf(kind, choice, value) > mostShared
    const lane = JSON.stringify([printKind(kind), namespace, name, label, isListedWhole, isCrowded ? value : ''])
    await this.#sharedLists.join(lane, { request, value }, ({ values, requests }) =>
      this.#listLive(kind, { ...choice, ...(!isListedWhole && { values: [...values].sort() }) }, requests),
    )
  }

  #countOf(kind: Kind, { namespace, label }: LiveChoice, value: string): number {
    const counts = this.#inViewOf(kind)
      .informersIn(namespace)
      .map(({ store }) => (label !== undefined && store.isIndexedBy(label) ? store.find(label, value).length : 0))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async #listLive(
    kind: Kind,
    { namespace: only, value: _, ...choice }: LiveChoice & Choice,
    requests: ReadonlySet<string>,
  ): Promise<void> {
    const inView = this.#inViewOf(kind)
    const { client } = this.#options.wires
    await Promise.all(
      inView.informersIn(only).map(async ({ namespace = only, store }) => {
        const known = () =>
          knownIn(store, choice).filter(
            (object) =>
              isChosen(choice, object) && (namespace ?? object.metadata.namespace) === object.metadata.namespace,
          )
        const before = new Map(known().map((object) => [object.metadata.uid, object]))
        const keys = new Set<string>()
        let version = ''
        for await (const page of pagesOf(client, kind, selectionOf(choice, namespace), pagingOf(inView.view))) {
          version = page.resourceVersion
          for (const item of page.items) {
            keys.add(printKey(keyOf(item)))
            assertNotTakenBack({ kind, key: item.metadata }, before.get(item.metadata.uid), item)
            this.onBehalfOf(requests, () => this.#take({ kind, key: item.metadata }, item, requests))
          }
        }
        this.onBehalfOf(requests, () => store.toldNoneBut(keys, known(), version))
      }),
    )
  }

  /** Ends the following of what a request no longer needs, or what is in view again. */
  unfollow(by: string, isNeeded: (ref: string) => boolean): void {
    const outsideOf = ({ view, store }: Informer) =>
      store.list().filter((object) => this.#inViewOf(view.kind).get(keyOf(object)) === undefined)
    const ended = this.#followed.end(by, (ref, informer) => isNeeded(ref) && outsideOf(informer).length > 0)
    for (const informer of ended) {
      for (const { metadata } of outsideOf(informer)) informer.view.inspector?.left(metadata.uid)
    }
  }

  #take(ref: Ref, object: KubeObject, requests: ReadonlySet<string>): void {
    const inView = this.#inViewOf(ref.kind)
    if (!inView.includes(object)) {
      for (const { store } of inView.informersFor(ref.key)) store.left(object)
      const wires = (stop: AbortSignal) => this.#wiresUntil(stop)
      for (const by of requests) {
        const started = this.#followed.follow(printRef(ref), ref.key, { by, view: inView.view, wires })
        if (started !== undefined) this.#run(started)
      }
    }
    this.shown(ref.kind, object)
  }

  #wiresUntil(stop: AbortSignal): Wires {
    const { wires } = this.#options
    return { ...wires, signal: AbortSignal.any([wires.signal, stop]) }
  }

  #run(informer: Informer): void {
    informer.run().catch((error: unknown) => this.#options.onCollapse(error))
  }

  #inViewOf(kind: Kind): InView {
    const inView = this.#inView.get(printKind(kind))
    if (inView === undefined) throw new Error(`${kind.kind} is not in view: a controller must declare what it reads`)
    return inView
  }
}

/** Of what is chosen, all that a store has, and perhaps more: found by an index where there is one. */
const knownIn = (store: Store<KubeObject>, { name, label, values }: Choice): readonly KubeObject[] => {
  if (name !== undefined) return store.find('name', name)
  if (label === undefined || values === undefined || !store.isIndexedBy(label)) return store.list()
  return values.flatMap((value) => store.find(label, value))
}

/**
 * Live reads are never behind what we have seen, unless the server was restored from a backup. Until our watch has
 * noticed that, nothing of what we know can be relied on.
 */
const assertNotTakenBack = (ref: Ref, before: KubeObject | undefined, now: KubeObject | undefined): void => {
  if (before === undefined || before.metadata.uid !== now?.metadata.uid) return
  if (!isOlder(now.metadata.resourceVersion, before.metadata.resourceVersion)) return
  const why = 'it is older than what was seen before: the cluster seems to have been restored from a backup'
  throw new ApiError({ verb: 'get', ...ref }, { why, class: 'unreachable' })
}
