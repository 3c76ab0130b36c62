import type { Marks } from '../pure/effects.ts'
import type { Kind } from '../pure/kind.ts'
import { type KubeObject, keyOf } from '../pure/object.ts'
import { printRef, type Ref } from './cluster.ts'

/** Metadata that a dry run takes for written. The cache does not know of it. */
export class AssumedMarks {
  readonly #marks: ReadonlyMap<string, readonly Marks[]>

  constructor(marks: ReadonlyMap<string, readonly Marks[]> = new Map()) {
    this.#marks = marks
  }

  /** The same, and these marks on this object too. */
  with(ref: Ref, marks: Marks): AssumedMarks {
    const name = printRef(ref)
    return new AssumedMarks(new Map([...this.#marks, [name, [...(this.#marks.get(name) ?? []), marks]]]))
  }

  /** The object as it would be. */
  applyTo<T extends KubeObject>(kind: Kind, object: T): T {
    if (this.#marks.size === 0) return object
    const marks = this.#marks.get(printRef({ kind, key: keyOf(object) })) ?? []
    return marks.reduce(marked, object)
  }
}

const marked = <T extends KubeObject>(object: T, marks: Marks): T => {
  const { labels, annotations, ...lists } = marks
  const { metadata } = object
  return {
    ...object,
    metadata: {
      ...metadata,
      ...lists,
      labels: { ...metadata.labels, ...labels },
      annotations: withoutNulls({ ...metadata.annotations, ...annotations }),
    },
  }
}

const withoutNulls = (values: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null))
