import { LedgerService } from '../../api/ledgerservice.ts'
import type { Desired } from '../../pure/effects.ts'
import type { KeyStamp } from '../../pure/key-rollout.ts'
import { apiVersionOf } from '../../pure/kind.ts'
import { serviceNames } from '../../pure/names.ts'
import { isTerminating, type KubeObject } from '../../pure/object.ts'
import { type Observed, ownWorkloadOf } from './observed.ts'
import { renderStatefulSet } from './render/stateful-set.ts'
import { withRetained } from './retained.ts'

/** The object as one that goes with its service; unless the service is deleted alone, and its objects are to stay. */
export const ownedBy = <T extends Desired>(service: KubeObject, object: T): T => {
  const { name, uid, finalizers = [] } = service.metadata
  if (isTerminating(service) && finalizers.includes('orphan')) return object
  const { kind } = LedgerService
  const owner = { apiVersion: apiVersionOf(LedgerService), kind, name, uid, controller: true, blockOwnerDeletion: true }
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } }
}

/** How many replicas there shall be. Members of a Raft cluster must be removed one by one: we never do. */
export const replicasOf = (observed: Observed): number =>
  Math.max(observed.complete.spec.replicas, ownWorkloadOf(observed)?.spec?.replicas ?? orphansOf(observed))

/** Pods whose StatefulSet was deleted alone are members still, and are taken over by the next. */
const orphansOf = ({ pods, complete }: Observed): number => {
  const prefix = `${serviceNames.workload(complete.name)}-`
  const ordinals = pods
    .map(({ metadata: { name } }) => (name.startsWith(prefix) ? name.slice(prefix.length) : ''))
    .filter((ordinal) => /^\d{1,3}$/.test(ordinal))
  return Math.max(0, ...ordinals.map((ordinal) => Number(ordinal) + 1))
}

/** The StatefulSet as it shall be, with pods that load these keys. */
export const wantedWorkload = (observed: Observed, stamp: KeyStamp | undefined) => {
  const { complete, object } = observed
  const service = { ...complete, spec: { ...complete.spec, replicas: replicasOf(observed) } }
  return ownedBy(object, withRetained(renderStatefulSet(service, stamp), ownWorkloadOf(observed)))
}
