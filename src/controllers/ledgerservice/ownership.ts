import { hasEntryOf } from '../../pure/managed-fields.ts'
import { serviceSuccession } from '../../pure/names.ts'
import type { KubeObject } from '../../pure/object.ts'

/**
 * Whether an object at one of a service's names is the service's own: it belongs to it, or to nobody and we, or the former
 * operator, have written to it. All else is foreign.
 */
export const isOurs = ({ metadata }: KubeObject, service: KubeObject): boolean => {
  const owners = metadata.ownerReferences ?? []
  const controller = owners.find((owner) => owner.controller === true)
  if (controller !== undefined) return controller.uid === service.metadata.uid
  const { manager, predecessors } = serviceSuccession
  return (
    owners.some(({ uid }) => uid === service.metadata.uid) ||
    [manager, ...predecessors].some((name) => hasEntryOf(metadata.managedFields, name))
  )
}
