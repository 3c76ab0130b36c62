import type { Kind } from '../pure/kind.ts'
import { type KubeObject, keyOf, type ObjectKey, printKey } from '../pure/object.ts'
import type { Client } from './client.ts'
import { Informer, type View, type Wires } from './informer.ts'

/** One object of one kind. */
export interface Ref {
  readonly kind: Kind
  readonly key: ObjectKey
}

export const printRef = ({ kind, key }: Ref): string => `${kind.group}/${kind.kind} ${printKey(key)}`

/**
 * What an operator sees of a cluster: the stores of its views, brought up to date by live reads where the stakes ask
 * for it, and by every answer to a write.
 */
export class Cluster {
  readonly client: Client
  readonly #wires: Wires
  readonly #informers = new Map<string, Informer>()
  /** Objects outside every selection whose names we need: each is watched by its name. */
  readonly #followed = new Map<string, { informer: Informer; stop: () => void; by: Set<string> }>()
  readonly #onFollowedChange: (requests: ReadonlySet<string>) => void
  #cause: string | undefined

  constructor(wires: Wires, onFollowedChange: (requests: ReadonlySet<string>) => void) {
    this.client = wires.client
    this.#wires = wires
    this.#onFollowedChange = onFollowedChange
  }

  /** Starts to keep a kind in view. */
  keepInView<T extends KubeObject>(view: View<T>): Informer<T> {
    if (this.#informers.has(kindKey(view.kind))) throw new Error(`${view.kind.kind} is in view already`)
    const informer = new Informer(view, this.#wires)
    this.#informers.set(kindKey(view.kind), informer as unknown as Informer)
    void informer.run()
    return informer
  }

  get informers(): readonly Informer[] {
    return [...this.#informers.values(), ...[...this.#followed.values()].map(({ informer }) => informer)]
  }

  get<T extends KubeObject>(kind: Kind, key: ObjectKey): T | undefined {
    const inView = this.#informerOf(kind).store.get(printKey(key))
    return (inView ?? this.#followed.get(printRef({ kind, key }))?.informer.store.get(printKey(key))) as T | undefined
  }

  find<T extends KubeObject>(kind: Kind, index: string, value: string): readonly T[] {
    return this.#informerOf(kind).store.find(index, value) as unknown as readonly T[]
  }

  /** The objects of this name in any namespace; the kind's view must be indexed by name. */
  named<T extends KubeObject>(kind: Kind, name: string): readonly T[] {
    const inView = this.find<T>(kind, 'name', name)
    const followed = [...this.#followed.values()].flatMap(({ informer }) =>
      informer.view.kind === kind ? informer.store.list().filter(({ metadata }) => metadata.name === name) : [],
    )
    const isInView = ({ metadata }: KubeObject) => inView.some((object) => object.metadata.uid === metadata.uid)
    return [...inView, ...(followed.filter((object) => !isInView(object)) as unknown as readonly T[])]
  }

  /**
   * The request whose own write or read is being taken in. It knows of the change already: to wake it would be to run in
   * circles, past every pause.
   */
  get cause(): string | undefined {
    return this.#cause
  }

  /** Takes in what a request has just written or read. */
  onBehalfOf(request: string, takeIn: () => void): void {
    this.#cause = request
    try {
      takeIn()
    } finally {
      this.#cause = undefined
    }
  }

  /** Takes in an object as the server just had it. */
  shown(kind: Kind, object: KubeObject): void {
    if (this.#isSelected(kind, object)) this.#informerOf(kind).shown(object)
    this.#followed.get(printRef({ kind, key: object.metadata }))?.informer.shown(object)
  }

  /** The server said that this object is gone. */
  gone({ kind, key }: Ref, uid: string): void {
    this.#informerOf(kind).store.gone(printKey(key), uid)
    this.#followed.get(printRef({ kind, key }))?.informer.store.gone(printKey(key), uid)
  }

  /** Reads one object live. Where it is outside our selection it is followed by name, on behalf of a request. */
  async refresh(ref: Ref, by: string): Promise<void> {
    const { kind, key } = ref
    const { view } = this.#informerOf(kind)
    const before = this.get(kind, key)
    const object = await this.client.get(kind, key, view.inspector === undefined ? view.extent : 'whole')
    this.onBehalfOf(by, () => {
      if (object !== undefined) this.#take(ref, object, by)
      // Of what appeared while we asked, the answer knows nothing.
      else if (before !== undefined) this.gone(ref, before.metadata.uid)
    })
  }

  /** Reads all objects of this name live, in whatever namespace and with whatever labels. */
  async refreshNamed(kind: Kind, name: string, by: string): Promise<void> {
    const { store } = this.#informerOf(kind)
    const { items, resourceVersion } = await this.client.list(kind, { fieldSelector: `metadata.name=${name}` })
    const selected = items.filter((item) => this.#isSelected(kind, item)).map(metadataOf)
    this.onBehalfOf(by, () => {
      for (const item of items) this.#take({ kind, key: item.metadata }, item, by)
      store.shownAmong(store.find('name', name), selected, resourceVersion)
    })
  }

  /** Ends the following of what a request no longer needs, or what is in view again. */
  unfollow(by: string, isNeeded: (ref: string) => boolean): void {
    for (const [ref, { informer, stop, by: requests }] of this.#followed) {
      const { store: inView } = this.#informerOf(informer.view.kind)
      const outside = informer.store.list().filter((object) => inView.get(printKey(keyOf(object))) === undefined)
      if (outside.length > 0 && isNeeded(ref)) continue
      if (!requests.delete(by) || requests.size > 0) continue
      stop()
      this.#followed.delete(ref)
      for (const { metadata } of outside) informer.view.inspector?.left(metadata.uid)
    }
  }

  #take(ref: Ref, object: KubeObject, by: string): void {
    if (!this.#isSelected(ref.kind, object)) {
      this.#informerOf(ref.kind).store.left(object)
      this.#follow(ref, by)
    }
    this.shown(ref.kind, object)
  }

  #follow(ref: Ref, by: string): void {
    const name = printRef(ref)
    const existing = this.#followed.get(name)
    if (existing !== undefined) {
      existing.by.add(by)
      return
    }
    const { view } = this.#informerOf(ref.kind)
    const stop = new AbortController()
    const signal = AbortSignal.any([this.#wires.signal, stop.signal])
    const selection = { namespace: ref.key.namespace, fieldSelector: `metadata.name=${ref.key.name}` }
    const informer = new Informer({ ...view, selection, indexes: {} }, { ...this.#wires, signal })
    const requests = new Set([by])
    informer.store.onChange(() => this.#onFollowedChange(requests))
    this.#followed.set(name, { informer, stop: () => stop.abort(), by: requests })
    void informer.run()
  }

  #isSelected(kind: Kind, object: KubeObject): boolean {
    const { labelSelector } = this.#informerOf(kind).view.selection
    return labelSelector === undefined || object.metadata.labels?.[labelSelector] !== undefined
  }

  #informerOf(kind: Kind): Informer {
    const informer = this.#informers.get(kindKey(kind))
    if (informer === undefined) throw new Error(`${kind.kind} is not in view: a controller must declare what it reads`)
    return informer
  }
}

const metadataOf = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ apiVersion, kind, metadata })

const kindKey = ({ group, kind }: Kind): string => `${group}/${kind}`
