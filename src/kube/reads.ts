import type { Kind } from '../pure/kind.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../pure/object.ts'
import { AssumedMarks } from './assumed-marks.ts'
import { type Asker, type LiveChoice, type Cluster, printRef, type ReadObject, type Ref } from './cluster.ts'

/** What a dry run takes for given: when it is, and what has been marked by then. */
export interface Assumptions {
  readonly now: number
  readonly marks?: AssumedMarks
}

/** The versions of objects that this request has written just before, by object. */
export type Written = ReadonlyMap<string, string>

const noMarks = new AssumedMarks()

/** What one pass may read: the stores, and live where it asks for it. */
export class Reads {
  /** When the pass began, in milliseconds since 1970. */
  readonly now: number
  readonly #cluster: Cluster
  readonly #asker: Asker
  readonly #marks: AssumedMarks
  readonly #written: Written
  readonly #asked = new Map<string, Ref>()
  readonly #listed = new Set<Kind>()

  constructor(cluster: Cluster, asker: Asker, { now, marks = noMarks }: Assumptions, written: Written = new Map()) {
    this.now = now
    this.#written = written
    this.#marks = marks
    this.#cluster = cluster
    this.#asker = asker
  }

  get<T extends KubeObject>(kind: Kind, key: ObjectKey): T | undefined {
    this.#ask({ kind, key })
    const object = this.#cluster.get<T>(kind, key)
    return object && this.#marks.applyTo(kind, object)
  }

  list<T extends KubeObject>(kind: Kind): readonly T[] {
    this.#listed.add(kind)
    return this.#asAssumed(kind, this.#cluster.list<T>(kind))
  }

  find<T extends KubeObject>(kind: Kind, index: string, value: string): readonly T[] {
    return this.#asAssumed(kind, this.#cluster.find<T>(kind, index, value))
  }

  named<T extends KubeObject>(kind: Kind, name: string): readonly T[] {
    const objects = this.#cluster.named<T>(kind, name)
    for (const object of objects) this.#ask({ kind, key: keyOf(object) })
    return this.#asAssumed(kind, objects)
  }

  /** Whether we may see an object of this name at all. */
  isInScope(kind: Kind, key: ObjectKey): boolean {
    return this.#cluster.isInScope({ kind, key })
  }

  refresh(kind: Kind, key: ObjectKey): Promise<ReadObject | undefined> {
    return this.#cluster.refresh({ kind, key }, this.#asker)
  }

  /** The answer to a write is as good as a read, if nothing newer has been seen since. */
  async refreshUnlessWritten(kind: Kind, key: ObjectKey): Promise<void> {
    const version = this.#written.get(printRef({ kind, key }))
    const isLive = version !== undefined && this.#cluster.get(kind, key)?.metadata.resourceVersion === version
    if (!isLive) await this.refresh(kind, key)
  }

  refreshChosen(kind: Kind, choice: LiveChoice): Promise<void> {
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

  #asAssumed<T extends KubeObject>(kind: Kind, objects: readonly T[]): readonly T[] {
    return this.#marks === noMarks ? objects : objects.map((object) => this.#marks.applyTo(kind, object))
  }

  #ask(ref: Ref): void {
    this.#asked.set(printRef(ref), ref)
  }
}
