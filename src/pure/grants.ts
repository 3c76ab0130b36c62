import { type Kind, Namespace } from './kind.ts'
import type { Right, RightVerb } from './rights.ts'
import type { Scope } from './scope.ts'

/** A right at a place. Where `namespace` is absent it holds everywhere: for cluster-scoped objects, or in all namespaces. */
export interface Grant {
  readonly kind: Kind
  readonly subresource: 'status' | undefined
  readonly verbs: readonly RightVerb[]
  readonly namespace: string | undefined
  readonly names: readonly string[] | undefined
}

/** What rights come to in an installation: what its client lets pass, and what its RBAC objects grant. */
export const grantsOf = (rights: readonly Right[], scope: Scope): readonly Grant[] =>
  rights.flatMap((right) => {
    const { kind, subresource, verbs } = right
    const names = namesOf(right, scope)
    // The API server does not know the name of what is about to be created.
    if (names !== undefined && verbs.includes('create'))
      throw new Error(`the right to create ${kind.kind}s cannot be limited to names: declare it without`)
    // To the API server no names are no limit; here they are nothing.
    if (names?.length === 0) return []
    return placesOf(right, scope).map((namespace) => ({ kind, subresource, verbs, namespace, names }))
  })

const placesOf = ({ where }: Right, { own, watched }: Scope): readonly (string | undefined)[] => {
  if (where === 'cluster') return [undefined]
  if (where === 'own') return [own]
  if (where === 'watched') return watched === 'all' ? [undefined] : watched
  return [where.namespace]
}

/** Who watches some namespaces need not know of the others. */
const namesOf = ({ kind, names }: Right, { watched }: Scope): readonly string[] | undefined =>
  names ?? (kind === Namespace && watched !== 'all' ? watched : undefined)

/** Whether one grant holds wherever another does, for the same objects. */
export const isCoveredBy = (grant: Grant, other: Grant): boolean =>
  isSameResource(grant, other) &&
  (other.namespace === undefined || other.namespace === grant.namespace) &&
  (other.names === undefined || grant.names?.every((name) => other.names?.includes(name)) === true) &&
  grant.verbs.every((verb) => other.verbs.includes(verb))

const isSameResource = (one: Grant, other: Grant): boolean =>
  one.kind.group === other.kind.group && one.kind.plural === other.kind.plural && one.subresource === other.subresource
