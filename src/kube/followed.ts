import type { Kind } from '../pure/kind.ts'
import type { KubeObject, ObjectKey } from '../pure/object.ts'
import { Informer, type Wires } from './informer.ts'
import type { View } from './view.ts'

interface Entry {
  readonly informer: Informer
  readonly stop: AbortController
  readonly by: Set<string>
}

export interface Following {
  readonly by: string
  readonly view: View
  readonly wires: (stop: AbortSignal) => Wires
}

/** Objects outside every selection that somebody needs: each is watched by its name, as long as it is needed. */
export class Followed {
  readonly #entries = new Map<string, Entry>()
  readonly #onChange: (requests: ReadonlySet<string>) => void

  constructor(onChange: (requests: ReadonlySet<string>) => void) {
    this.#onChange = onChange
  }

  get informers(): readonly Informer[] {
    return [...this.#entries.values()].map(({ informer }) => informer)
  }

  informerOf(ref: string): Informer | undefined {
    return this.#entries.get(ref)?.informer
  }

  get(ref: string): KubeObject | undefined {
    return this.informerOf(ref)?.store.list()[0]
  }

  named(kind: Kind, name: string): readonly KubeObject[] {
    return this.informers
      .filter(({ view }) => view.kind === kind && view.choice.name === name)
      .flatMap(({ store }) => store.list())
  }

  /** The informer, if it is a new one: the caller runs it. */
  follow(ref: string, { namespace, name }: ObjectKey, { by, view, wires }: Following): Informer | undefined {
    const known = this.#entries.get(ref)
    if (known !== undefined) {
      known.by.add(by)
      return undefined
    }
    const stop = new AbortController()
    const informer = new Informer({ ...view, choice: { name }, indexes: {} }, namespace, wires(stop.signal))
    const requests = new Set([by])
    informer.store.onChange(() => this.#onChange(requests))
    this.#entries.set(ref, { informer, stop, by: requests })
    return informer
  }

  /** Ends the following of all objects. */
  drop(): void {
    for (const [ref, { informer, stop }] of this.#entries) {
      stop.abort()
      this.#entries.delete(ref)
      for (const { metadata } of informer.store.list()) informer.view.inspector?.left(metadata.uid)
    }
  }

  /** Ends what a request follows and does not need, and tells what has ended. */
  end(by: string, isNeeded: (ref: string, informer: Informer) => boolean): readonly Informer[] {
    const ended: Informer[] = []
    for (const [ref, { informer, stop, by: requests }] of this.#entries) {
      if (isNeeded(ref, informer)) continue
      if (!requests.delete(by) || requests.size > 0) continue
      stop.abort()
      this.#entries.delete(ref)
      ended.push(informer)
    }
    return ended
  }
}
