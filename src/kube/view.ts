import type { Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import type { Extent, Selection } from './client.ts'
import type { Paging } from './pages.ts'
import { getOwn } from '../pure/own.ts'

/** Values that an object is found by. */
export type Index<T> = (object: T) => readonly string[]

/** Looks at objects while they are whole, before the store keeps what it keeps. */
export interface Inspector {
  saw(object: KubeObject): void
  left(uid: string): void
}

/** Which objects of a kind are meant. The server selects, and so do we where an object comes another way. */
export interface Choice {
  /** A label that must be there, with one of these values if there are any. */
  readonly label?: string
  readonly values?: readonly string[]
  readonly name?: string
}

/** What to keep in view of one kind. */
export interface View<T extends KubeObject = KubeObject> {
  readonly kind: Kind
  readonly choice: Choice
  /** How much of an object the server sends. */
  readonly extent: Extent
  /** Takes away what nobody reads, before the object is stored. */
  readonly project?: (object: T) => T
  /** One of the name of a label finds objects by its value. */
  readonly indexes: Readonly<Record<string, Index<T>>>
  /** With an inspector, lists bring whole objects although the store keeps metadata only. */
  readonly inspector?: Inspector
  /** Whether the operator's own namespace is in view too, where only some namespaces are. */
  readonly includesOwn?: boolean
}

/** The objects that carry this label. */
export const labelled = ({ label, value }: { readonly label: string; readonly value: string }): Choice => ({
  label,
  values: [value],
})

export const selectionOf = ({ label, values, name }: Choice, namespace: string | undefined): Selection => ({
  namespace,
  labelSelector: label === undefined || values === undefined ? label : selectorOf(label, values),
  fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
})

const selectorOf = (label: string, values: readonly string[]): string =>
  values.length === 1 ? `${label}=${values[0] ?? ''}` : `${label} in (${values.join(',')})`

export const isChosen = ({ label, values, name }: Choice, { metadata }: KubeObject): boolean =>
  (label === undefined || isLabelled(getOwn(metadata.labels, label), values)) &&
  (name === undefined || metadata.name === name)

const isLabelled = (actual: string | undefined, values: readonly string[] | undefined): boolean =>
  actual !== undefined && (values === undefined || values.includes(actual))

// Of objects that are read whole only to be looked into, anybody may have made big ones.
const inspectedAtOnce = 50

/** How lists of this view are read. */
export const pagingOf = ({ extent, inspector }: Pick<View, 'extent' | 'inspector'>): Paging =>
  inspector === undefined ? { extent } : { extent: 'whole', limit: inspectedAtOnce }
