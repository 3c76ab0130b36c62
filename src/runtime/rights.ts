import { CustomResourceDefinition, crdNameOf, Event, type Kind, Lease } from '../pure/kind.ts'
import { leaseName } from '../pure/names.ts'
import type { Right, RightVerb } from '../pure/rights.ts'
import type { Controller } from './controller.ts'

/** All that an operator with these controllers does to the cluster. */
export const rightsOf = (controllers: readonly Controller[]): readonly Right[] => [
  ...controllers.flatMap(({ rights }) => rights),
  { kind: Lease, verbs: ['create'], where: 'own' },
  { kind: Lease, verbs: ['get', 'patch'], where: 'own', names: [leaseName] },
  definitionsOf(controllers),
  ...controllers.map(
    ({ reconciles }) => ({ kind: Event, verbs: ['create', 'patch'], where: eventsOf(reconciles) }) as const,
  ),
]

/** As much of it as an operator needs that only looks. */
export const readingRightsOf = (controllers: readonly Controller[]): readonly Right[] =>
  [...controllers.flatMap(({ rights }) => rights), definitionsOf(controllers)]
    .map((right) => ({ ...right, verbs: right.verbs.filter((verb) => readingVerbs.includes(verb)) }))
    .filter(({ verbs }) => verbs.length > 0)

const readingVerbs: readonly RightVerb[] = ['get', 'list', 'watch']

const definitionsOf = (controllers: readonly Controller[]): Right => ({
  kind: CustomResourceDefinition,
  verbs: ['list', 'watch'],
  where: 'cluster',
  names: crdNamesOf(controllers),
})

const crdNamesOf = (controllers: readonly Controller[]): readonly string[] => {
  const kinds = controllers.flatMap(({ watches }) => watches.map(({ view }) => view.kind))
  return [...new Set(kinds.filter(({ isCustom = false }) => isCustom).map(crdNameOf))]
}

/** An event lies beside its object. Kubernetes keeps those of cluster-scoped objects in `default`. */
const eventsOf = ({ namespaced }: Kind): Right['where'] => (namespaced ? 'watched' : { namespace: 'default' })
