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
  /** A label that must be there, with this value if there is one. */
  readonly label?: string
  readonly value?: string
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
  readonly indexes: Readonly<Record<string, Index<T>>>
  /** With an inspector, lists bring whole objects although the store keeps metadata only. */
  readonly inspector?: Inspector
  /** Whether the operator's own namespace is in view too, where only some namespaces are. */
  readonly includesOwn?: boolean
}

export const selectionOf = ({ label, value, name }: Choice, namespace: string | undefined): Selection => ({
  namespace,
  labelSelector: label === undefined || value === undefined ? label : `${label}=${value}`,
  fieldSelector: name === undefined ? undefined : `metadata.name=${name}`,
})

export const isChosen = ({ label, value, name }: Choice, { metadata }: KubeObject): boolean =>
  (label === undefined || isLabelled(getOwn(metadata.labels, label), value)) &&
  (name === undefined || metadata.name === name)

const isLabelled = (actual: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined ? actual !== undefined : actual === wanted

// Of objects that are read whole only to be looked into, anybody may have made big ones.
const inspectedAtOnce = 50

/** How lists of this view are read. */
export const pagingOf = ({ extent, inspector }: Pick<View, 'extent' | 'inspector'>): Paging =>
  inspector === undefined ? { extent } : { extent: 'whole', limit: inspectedAtOnce }
