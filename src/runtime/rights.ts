import { CustomResourceDefinition, crdNameOf, Event, type Kind, Lease } from '../pure/kind.ts'
import type { Right } from '../pure/rights.ts'
import type { Controller } from './controller.ts'

/** All that an operator with these controllers does to the cluster. */
export const rightsOf = (controllers: readonly Controller[]): readonly Right[] => [
  ...controllers.flatMap(({ rights }) => rights),
  { kind: Lease, verbs: ['get', 'create', 'patch'], where: 'own' },
  { kind: CustomResourceDefinition, verbs: ['list', 'watch'], where: 'cluster', names: crdNamesOf(controllers) },
  ...controllers.map(
    ({ reconciles }) => ({ kind: Event, verbs: ['create', 'patch'], where: eventsOf(reconciles) }) as const,
  ),
]

const crdNamesOf = (controllers: readonly Controller[]): readonly string[] => {
  const kinds = controllers.flatMap(({ watches }) => watches.map(({ view }) => view.kind))
  return [...new Set(kinds.filter(({ isCustom = false }) => isCustom).map(crdNameOf))]
}

/** An event lies beside its object. Kubernetes keeps those of cluster-scoped objects in `default`. */
const eventsOf = ({ namespaced }: Kind): Right['where'] => (namespaced ? 'watched' : { namespace: 'default' })
