import type { Kind } from '../pure/kind.ts'
import type { KubeObject, ObjectKey } from '../pure/object.ts'
import { type Cluster, printRef } from './cluster.ts'

/** What one pass may read: the stores, and live where it asks for it. */
export class Reads {
  readonly #cluster: Cluster
  readonly #request: string
  readonly #asked = new Set<string>()

  constructor(cluster: Cluster, request: string) {
    this.#cluster = cluster
    this.#request = request
  }

  get<T extends KubeObject>(kind: Kind, key: ObjectKey): T | undefined {
    this.#asked.add(printRef({ kind, key }))
    return this.#cluster.get<T>(kind, key)
  }

  find<T extends KubeObject>(kind: Kind, index: string, value: string): readonly T[] {
    return this.#cluster.find<T>(kind, index, value)
  }

  named<T extends KubeObject>(kind: Kind, name: string): readonly T[] {
    const objects = this.#cluster.named<T>(kind, name)
    for (const object of objects) this.#asked.add(printRef({ kind, key: object.metadata }))
    return objects
  }

  refresh(kind: Kind, key: ObjectKey): Promise<void> {
    return this.#cluster.refresh({ kind, key }, this.#request)
  }

  refreshNamed(kind: Kind, name: string): Promise<void> {
    return this.#cluster.refreshNamed(kind, name, this.#request)
  }

  /** The pass is over: what it did not ask for need not be followed on its behalf. */
  end(): void {
    this.#cluster.unfollow(this.#request, (ref) => this.#asked.has(ref))
  }
}
