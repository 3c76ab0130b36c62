import { type Kind, Secret } from './kind.ts'
import type { ManagedFieldsEntry, ObjectKey, OwnerReference, Precondition } from './object.ts'

/** Names one value of one version of a Secret. Plans carry this instead of the value; perform resolves it. */
export interface SecretValueRef {
  readonly from: ObjectKey & Precondition
  readonly field: string
  readonly fingerprint: string
}

/** What an object should be: only the paths that we want to own. */
export interface Desired {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly OwnerReference[]
  }
  /** A Secret's by reference, a ConfigMap's as it is. */
  readonly data?: Readonly<Record<string, SecretValueRef>> | Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** New metadata for an object. A null annotation is taken away; a list replaces the list that is there. */
export interface Marks {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string | null>>
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

interface Told {
  /** The reason of the event that tells people of an effect, once it is done. */
  readonly event?: string
  /** No later step needs it: when it fails, they start all the same. What fails in one namespace holds up no other. */
  readonly isIndependent?: true
}

type Deletable = Pick<Precondition, 'uid'> & Partial<Precondition>

/** Everything that an operator can do to the world, beside reporting in a status. There is no other way to write. */
export type Effect =
  /** The only effect that brings a known object into being: it fails when something is already there. */
  | ({ readonly do: 'create'; readonly kind: Kind; readonly object: Desired } & Told)
  /** Server-side apply to the object that was observed, and to no other. */
  | ({ readonly do: 'apply'; readonly kind: Kind; readonly object: Desired; readonly on: Precondition } & Told)
  /** Metadata only. */
  | {
      readonly do: 'mark'
      readonly kind: Kind
      readonly key: ObjectKey
      readonly on: Precondition
      readonly set: Marks
      readonly isIndependent?: true
    }
  /** Done when the object is gone; while a finalizer holds it, later steps wait. With a version: only as it was seen. */
  | ({ readonly do: 'delete'; readonly kind: Kind; readonly key: ObjectKey } & Deletable & Told)
  /** Random bytes become key material in one new Secret. The plan knows the recipe, never the material. */
  | ({ readonly do: 'mint'; readonly object: Desired; readonly recipe: string } & Told)
  | EventEffect

/** Tells people what became of an object (events.k8s.io/v1). A courtesy: when it fails, nothing else does. */
export interface EventEffect {
  readonly do: 'event'
  readonly kind: Kind
  readonly key: ObjectKey
  readonly uid: string
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly note: string
}

/** The same effects, which no later step needs. */
export const independently = (effects: readonly Effect[]): readonly Effect[] =>
  effects.map((effect) => (effect.do === 'event' ? effect : { ...effect, isIndependent: true }))

/** The object that an effect writes. */
export const targetOf = (effect: Effect): ObjectKey =>
  'key' in effect ? effect.key : { namespace: effect.object.metadata.namespace, name: effect.object.metadata.name }

/** Its kind. */
export const kindOf = (effect: Effect): Kind => (effect.do === 'mint' ? Secret : effect.kind)
