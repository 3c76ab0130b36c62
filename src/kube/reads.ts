import type { Kind } from '../pure/kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../pure/object.ts'
import { type Asker, type ChoiceIn, type Cluster, type LiveRead, printRef, type Ref } from './cluster.ts'

/** What one pass may read: the stores, and live where it asks for it. */
export class Reads {
  /** When the pass began, in milliseconds since 1970. */
  readonly now: number
  readonly #cluster: Cluster
  readonly #asker: Asker
  readonly #asked = new Map<string, Ref>()
  readonly #listed = new Set<Kind>()

  constructor(cluster: Cluster, asker: Asker, now: number) {
    this.now = now
    this.#cluster = cluster
    this.#asker = asker
  }

  get<T extends KubeObject>(kind: Kind, key: ObjectKey): T | undefined {
    this.#ask({ kind, key })
    return this.#cluster.get<T>(kind, key)
  }

  list<T extends KubeObject>(kind: Kind): readonly T[] {
    this.#listed.add(kind)
    return this.#cluster.list<T>(kind)
  }

  find<T extends KubeObject>(kind: Kind, index: string, value: string): readonly T[] {
    return this.#cluster.find<T>(kind, index, value)
  }

  named<T extends KubeObject>(kind: Kind, name: string): readonly T[] {
    const objects = this.#cluster.named<T>(kind, name)
    for (const object of objects) this.#ask({ kind, key: keyOf(object) })
    return objects
  }

  /** Whether we may see an object of this name at all. */
  isInScope(kind: Kind, key: ObjectKey): boolean {
    return this.#cluster.isInScope({ kind, key })
  }

  refresh(kind: Kind, key: ObjectKey): Promise<LiveRead | undefined> {
    return this.#cluster.refresh({ kind, key }, this.#asker)
  }

  refreshChosen(kind: Kind, choice: ChoiceIn): Promise<void> {
    return this.#cluster.refreshChosen(kind, choice, this.#asker)
  }

  /** Reads live everything that this pass has asked for. */
  async refreshAll(): Promise<void> {
    const visible = [...this.#asked.values()].filter((ref) => this.#cluster.isInScope(ref))
    await Promise.all([
      ...visible.map(({ kind, key }) => this.refresh(kind, key)),
      ...[...this.#listed].map((kind) => this.refreshChosen(kind, {})),
    ])
  }

  /** The pass is over: what it did not ask for need not be followed on its behalf. */
  end(): void {
    this.#cluster.unfollow(this.#asker.request, (ref) => this.#asked.has(ref))
  }

  #ask(ref: Ref): void {
    this.#asked.set(printRef(ref), ref)
  }
}
