import type { Kind } from '../pure/kind.ts'
import { type KubeObject, type ObjectKey, printKey } from '../pure/object.ts'
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

  constructor(wires: Wires, onFollowedChange: (requests: ReadonlySet<string>) => void) {
    this.client = wires.client
    this.#wires = wires
    this.#onFollowedChange = onFollowedChange
  }

  /** Starts to keep a kind in view. */
  keepInView<T extends KubeObject>(view: View<T>): Informer<T> {
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

  /** Takes in an object as the server just had it. */
  saw(kind: Kind, object: KubeObject): void {
    if (this.#isSelected(kind, object)) this.#informerOf(kind).saw(object)
    this.#followed.get(printRef({ kind, key: object.metadata }))?.informer.saw(object)
  }

  /** The server said that this object is gone. */
  sawGone({ kind, key }: Ref, uid: string): void {
    this.#informerOf(kind).store.deleted(printKey(key), uid)
    this.#followed.get(printRef({ kind, key }))?.informer.store.deleted(printKey(key), uid)
  }

  /** Reads one object live. Where it is outside our selection it is followed by name, on behalf of a request. */
  async refresh(ref: Ref, by: string): Promise<void> {
    const { kind, key } = ref
    const { view } = this.#informerOf(kind)
    const object = await this.client.get(kind, key, view.inspector === undefined ? view.extent : 'whole')
    if (object === undefined) {
      const known = this.get(kind, key)
      if (known !== undefined) this.sawGone(ref, known.metadata.uid)
      return
    }
    this.#take(ref, object, by)
  }

  /** Reads all objects of this name live, in whatever namespace and with whatever labels. */
  async refreshNamed(kind: Kind, name: string, by: string): Promise<void> {
    const { store } = this.#informerOf(kind)
    const { items, resourceVersion } = await this.client.list(kind, { fieldSelector: `metadata.name=${name}` })
    for (const item of items) this.#take({ kind, key: item.metadata }, item, by)
    const selected = items.filter((item) => this.#isSelected(kind, item)).map(metadataOf)
    store.sawAmong(store.find('name', name), selected, resourceVersion)
  }

  /** Ends the following of what a request no longer needs. */
  unfollow(by: string, isNeeded: (ref: string) => boolean): void {
    for (const [ref, followed] of this.#followed) {
      if (isNeeded(ref) || !followed.by.delete(by) || followed.by.size > 0) continue
      followed.stop()
      this.#followed.delete(ref)
    }
  }

  #take(ref: Ref, object: KubeObject, by: string): void {
    if (!this.#isSelected(ref.kind, object)) {
      this.#informerOf(ref.kind).store.sawLeave(object)
      this.#follow(ref, by)
    }
    this.saw(ref.kind, object)
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
