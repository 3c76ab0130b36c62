/** One entry of `metadata.managedFields`: which paths a manager owns. */
export interface ManagedFieldsEntry {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: FieldSet
  readonly subresource?: string
  readonly time?: string
}

/** `f:`, `k:` and `v:` steps to the paths below; an empty set is a leaf. */
export interface FieldSet {
  readonly [step: string]: FieldSet
}

/** What an object goes with: when the owner is deleted, Kubernetes deletes it too. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

/** An object as the API server has it. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  /** Why nothing but metadata is known of it, although more was asked for. That is not the same as empty. */
  readonly unreadable?: string
}

/** Names one object of a kind; `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string | undefined
  readonly name: string
}

/** The version of an object that a write was decided on: it is refused when the object has moved on. */
export interface Precondition {
  readonly uid: string
  readonly resourceVersion: string
}

export const keyOf = ({ metadata }: KubeObject): ObjectKey => ({ namespace: metadata.namespace, name: metadata.name })

export const preconditionOf = ({ metadata }: KubeObject): Precondition => ({
  uid: metadata.uid,
  resourceVersion: metadata.resourceVersion,
})

/** `namespace/name`, or just `name`; also how people read it in messages. */
export const printKey = ({ namespace, name }: ObjectKey): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** The other way round. */
export const parseKey = (text: string): ObjectKey => {
  const [first = '', second] = text.split('/')
  return second === undefined ? { name: first } : { namespace: first, name: second }
}

export const isTerminating = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined
