import { hasEntryOfAny } from '../../pure/managed-fields.ts'
import { serviceNames, serviceSuccession } from '../../pure/names.ts'
import type { KubeObject } from '../../pure/object.ts'

/**
 * Whether an object at one of a service's names is the service's own: it belongs to it, or to nobody and we, or the former
 * operator, have written to it. All else is foreign.
 */
export const isOurs = (object: KubeObject, service: KubeObject): boolean => {
  const { ownerReferences: owners = [], managedFields } = object.metadata
  const controller = owners.find((owner) => owner.controller === true)
  if (controller !== undefined) return controller.uid === service.metadata.uid
  const { manager, predecessors } = serviceSuccession
  const named = predecessors.filter((predecessor) => typeof predecessor === 'string')
  const ambiguous = predecessors.filter((predecessor) => typeof predecessor !== 'string')
  return (
    owners.some(({ uid }) => uid === service.metadata.uid) ||
    hasEntryOfAny(managedFields, [manager, ...named]) ||
    (hasEntryOfAny(managedFields, ambiguous) && looksLikeFormer(object, service))
  )
}

/** A manager's name that many operators have proves nothing: name and labels must be the former operator's, too. */
const looksLikeFormer = ({ metadata: { name, labels } }: KubeObject, service: KubeObject): boolean => {
  const { workload, headless, keyList, managedBy } = serviceNames
  const { name: of } = service.metadata
  return (
    [workload(of), headless(of), keyList(of)].includes(name) &&
    labels?.[managedBy.label] === managedBy.value &&
    labels['app.kubernetes.io/instance'] === of
  )
}
