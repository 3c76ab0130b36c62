import { isDeepStrictEqual } from 'node:util'
import type { Desired, Effect } from '../../pure/effects.ts'
import { withoutAppliedMark } from '../../pure/in-sync.ts'
import { keep } from '../../pure/keep.ts'
import type { KeyList } from '../../pure/key-list.ts'
import {
  hasKeysMounted,
  isSameStamp,
  type KeyStamp,
  stampMarks,
  stampOfPods,
  withoutStamp,
} from '../../pure/key-rollout.ts'
import { ConfigMap, StatefulSet } from '../../pure/kind.ts'
import { fieldsOfAny, ownedFieldsOf, withEntriesApplied, withFieldTaken } from '../../pure/managed-fields.ts'
import { serviceNames, serviceSuccession } from '../../pure/names.ts'
import { isTerminating, keyOf, type ObjectMeta, preconditionOf } from '../../pure/object.ts'
import { ownedPartOf } from '../../pure/owned-part.ts'
import type { LiveWorkload } from './observed.ts'

const listSuccession = { kind: ConfigMap, ...serviceSuccession }

/** Whether a list can only be replaced as a whole: nobody can change what is in it, or it is too large to be read. */
export const isFixed = ({ immutable, unreadable }: KeyList): boolean => immutable === true || unreadable !== undefined

/**
 * Keeps a key list, and takes out the files that somebody else has put beside ours. One that cannot be changed is deleted,
 * as it was seen: the next reconcile creates it.
 */
export const keepKeyList = (live: KeyList | undefined, desired: Desired): readonly Effect[] => {
  if (live === undefined) return keep(listSuccession, live, desired)
  if (isFixed(live) && !isDeepStrictEqual(live.data, desired.data))
    return isTerminating(live) ? [] : [{ do: 'delete', kind: ConfigMap, key: keyOf(live), ...preconditionOf(live) }]
  return changesOf(live, desired)
}

const changesOf = (live: KeyList, desired: Desired): readonly Effect[] => {
  const files = Object.keys(live.data ?? {})
  if (!files.some(isStrangeIn(live, desired))) {
    // Who writes under our name leaves no other trace.
    return keep(listSuccession, live, desired, !isDeepStrictEqual(live.data, desired.data))
  }
  // An apply takes away only what is ours.
  const managedFields = withFieldTaken(live.metadata.managedFields, { field: 'data', keys: files }, listSuccession)
  const set = { managedFields, annotations: withoutAppliedMark }
  return [{ do: 'mark', kind: ConfigMap, key: keyOf(live), on: preconditionOf(live), set }]
}

const isStrangeIn = ({ metadata }: KeyList, desired: Desired) => {
  const { manager, predecessors } = serviceSuccession
  const { 'f:data': owned = {} } = fieldsOfAny(metadata.managedFields, [manager, ...predecessors])
  return (file: string): boolean => !Object.hasOwn(desired.data ?? {}, file) && owned[`f:${file}`] === undefined
}

const workloadSuccession = { kind: StatefulSet, ...serviceSuccession }

/**
 * Makes pods load the key list as it is, and changes nothing else of a workload that may not be written: what is applied is
 * what we own already.
 */
export const keepStamp = (live: LiveWorkload, stamp: KeyStamp): readonly Effect[] => {
  const pods = stampOfPods(live)
  if (!hasKeysMounted(live) || isSameStamp(stamp, pods)) return []
  const on = preconditionOf(live)
  const managedFields = withEntriesApplied(live.metadata.managedFields, workloadSuccession)
  if (managedFields !== undefined) {
    const set = { managedFields, annotations: withoutAppliedMark }
    return [{ do: 'mark', kind: StatefulSet, key: keyOf(live), on, set }]
  }
  return [{ do: 'apply', kind: StatefulSet, object: withStamp(live, stamp), on }]
}

const withStamp = (live: LiveWorkload, stamp: KeyStamp): Desired => {
  const owned = ownedPartOf(
    live,
    ownedFieldsOf(live.metadata.managedFields, serviceNames.manager),
  ) as Partial<LiveWorkload>
  const { namespace = '', name } = live.metadata
  const { labels, annotations = {}, ownerReferences }: Partial<ObjectMeta> = owned.metadata ?? {}
  const unmarked = Object.fromEntries(
    Object.entries(annotations).filter(([mark]) => !Object.hasOwn(withoutAppliedMark, mark)),
  )
  const template = owned.spec?.template
  const others = withoutStamp(template?.metadata?.annotations ?? {})
  return {
    metadata: {
      namespace,
      name,
      ...(labels && { labels }),
      annotations: unmarked,
      ...(ownerReferences && { ownerReferences }),
    },
    spec: {
      ...owned.spec,
      template: {
        ...template,
        metadata: { ...template?.metadata, annotations: { ...others, ...stampMarks(stamp) } },
      },
    },
  }
}
