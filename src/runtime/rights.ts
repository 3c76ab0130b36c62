import { CustomResourceDefinition, crdNameOf, Event, type Kind, Lease } from '../pure/kind.ts'
import type { Right } from '../pure/rights.ts'
import type { Controller } from './controller.ts'

/** What the runtime does to the cluster, whatever its controllers keep. `custom` are the kinds that come with a CRD. */
export const runtimeRights = (controllers: readonly Controller[], custom: readonly Kind[]): readonly Right[] => [
  { kind: Lease, verbs: ['get', 'create', 'patch'], where: 'own' },
  { kind: CustomResourceDefinition, verbs: ['get', 'list', 'watch'], where: 'cluster', names: custom.map(crdNameOf) },
  ...controllers.map(
    ({ reconciles }) => ({ kind: Event, verbs: ['create', 'patch'], where: eventsOf(reconciles) }) as const,
  ),
]

/** An event lies beside its object. Kubernetes keeps those of cluster-scoped objects in `default`. */
const eventsOf = ({ namespaced }: Kind): Right['where'] => (namespaced ? 'watched' : { namespace: 'default' })
