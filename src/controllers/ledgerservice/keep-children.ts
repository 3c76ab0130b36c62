import type { Desired, Effect } from '../../pure/effects.ts'
import { keep } from '../../pure/keep.ts'
import { hasRolledOut, stampOfPods } from '../../pure/key-rollout.ts'
import { type Kind, Service, ServiceAccount, StatefulSet } from '../../pure/kind.ts'
import { serviceSuccession } from '../../pure/names.ts'
import { isTerminating, type KubeObject, keyOf } from '../../pure/object.ts'
import type { Step } from '../../pure/plan.ts'
import { keepKeyList, keepStamp } from './keep-keys.ts'
import type { Keys } from './keys.ts'
import type { Observed } from './observed.ts'
import { isOurs } from './ownership.ts'
import { renderClusterSecret } from './render/cluster-secret.ts'
import { renderHeadlessService } from './render/headless-service.ts'
import { renderListObject } from './render/key-list.ts'
import { renderService } from './render/service.ts'
import { renderServiceAccount, serviceAccountNameOf } from './render/service-account.ts'
import { ownedBy, wantedWorkload } from './wanted.ts'

/** Every object of a service, in the order in which one needs the other; and what is not asked for any more goes last. */
export const keepAll = (observed: Observed, keys: Keys): readonly Step[] => {
  const { complete, children } = observed
  const { account, headless, service } = children
  const list = keepList(observed, keys)
  return [
    [
      ...keepOne(observed, ServiceAccount, account, renderServiceAccount(complete)),
      ...keepOne(observed, Service, headless, renderHeadlessService(complete)),
      ...keepOne(observed, Service, service, renderService(complete)),
      ...list,
    ],
    isYetToChange(list) ? [] : keepWorkload(observed, keys),
    prune(observed),
  ]
}

/** The keys that pods have loaded follow the list, and nothing else is written. */
export const keepKeysAlone = (observed: Observed, keys: Keys): readonly Step[] => {
  const { list, workload } = observed.children
  const { wish, isWaiting } = keys
  // Pods that are wired cannot start without their list; a service that has none of its own gets none.
  const isWired = workload !== undefined && isToBeKept(observed, workload) && stampOfPods(workload) !== undefined
  if ((list === undefined && !isWired) || wish.list === undefined || isWaiting) return []
  const mayStamp = workload !== undefined && isToBeKept(observed, workload)
  const effects = keepList(observed, keys)
  return [effects, mayStamp && !isYetToChange(effects) ? keepStamp(workload, wish.list.stamp) : []]
}

/** The list's content is still to come: pods that are made now would load another, and have to be made once more. */
const isYetToChange = (list: readonly Effect[]): boolean =>
  list.some((effect) => effect.do === 'mark' || effect.do === 'delete')

/** What is not the service's is never a target, and what is going is waited for. */
const isToBeKept = ({ object }: Observed, live: KubeObject): boolean => isOurs(live, object) && !isTerminating(live)

const keepOne = (
  observed: Observed,
  kind: Kind,
  live: KubeObject | undefined,
  desired: Desired | undefined,
): readonly Effect[] =>
  desired === undefined || (live !== undefined && !isToBeKept(observed, live))
    ? []
    : keep({ kind, ...serviceSuccession }, live, ownedBy(observed.object, desired))

const keepList = (observed: Observed, { wish, isWaiting }: Keys): readonly Effect[] => {
  const { list: live } = observed.children
  // One that is being deleted is kept in step too: as long as it is there, pods load it.
  if (wish.list === undefined || isWaiting || (live !== undefined && !isOurs(live, observed.object))) return []
  return keepKeyList(live, ownedBy(observed.object, renderListObject(observed.complete, wish.list)))
}

/** Pods are made when the keys that they load at their start are there, and the secret that they know each other by. */
const keepWorkload = (observed: Observed, { stamp, isShort }: Keys): readonly Effect[] => {
  const { clusterSecret, children, object, complete } = observed
  if (isShort) return []
  if (clusterSecret !== undefined && 'unknown' in clusterSecret) return []
  if (clusterSecret?.known === false)
    return [
      { do: 'mint', object: ownedBy(object, renderClusterSecret(complete)), recipe: 'cluster-secret', event: 'Minted' },
    ]
  return keepOne(observed, StatefulSet, children.workload, wantedWorkload(observed, stamp))
}

/** What the service had once and does not ask for any more, when its pods do not use it. */
const prune = ({ object, complete, children }: Observed): readonly Effect[] => {
  const { headless, formerAccounts, workload } = children
  const inUse = workload?.spec?.template?.spec?.serviceAccountName
  // Until then a pod of the former template may have to be made again, and cannot be without its account.
  const isOver = workload === undefined || hasRolledOut(workload)
  const used = [inUse, serviceAccountNameOf(complete)]
  const accounts = isOver ? formerAccounts.filter(({ metadata }) => !used.includes(metadata.name)) : []
  const isUnwanted = headless !== undefined && renderHeadlessService(complete) === undefined
  return [
    ...accounts.flatMap((account) => remove(ServiceAccount, account, object)),
    ...(isUnwanted ? remove(Service, headless, object) : []),
  ]
}

const remove = (kind: Kind, live: KubeObject, service: KubeObject): readonly Effect[] =>
  isOurs(live, service) && !isTerminating(live)
    ? [{ do: 'delete', kind, key: keyOf(live), uid: live.metadata.uid }]
    : []
