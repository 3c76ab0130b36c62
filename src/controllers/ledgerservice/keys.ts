import { mostKeys } from '../../pure/key-list.ts'
import { isSameStamp, type KeyStamp, stampOfPods } from '../../pure/key-rollout.ts'
import { isTerminating } from '../../pure/object.ts'
import { isFixed } from './keep-keys.ts'
import { type KeyWish, keyWishOf } from './key-wish.ts'
import { keySightOf, type LiveWorkload, liveVariable, type Observed, ownWorkloadOf } from './observed.ts'
import { isOurs } from './ownership.ts'

/** What is done about the keys of a service in this pass. */
export interface Keys {
  readonly wish: KeyWish
  /** Why the list stays as it is, whatever it should say. */
  readonly left: string | undefined
  /** Whether the list stays as it is for now: for a live look, for changes that may follow, or for what cannot be told. */
  readonly isWaiting: boolean
  /** What the pods shall be made with; undefined when they get no keys. */
  readonly stamp: KeyStamp | undefined
  /** Whether pods would be made without the keys that they are to have. */
  readonly isShort: boolean
}

export const keysOf = (observed: Observed): Keys => {
  const { doubt, settlesAt } = observed
  const wish = keyWishOf(keySightOf(observed))
  const left = wish.left ?? doubt ?? tooManyKeys(wish) ?? unwritable(observed, wish)
  const isWaiting = left !== undefined || settlesAt !== undefined
  const workload = ownWorkloadOf(observed)
  const pods = workload && stampOfPods(workload)
  const kept = isOnlyMounted(wish, workload) || (isWaiting && !wish.isAuthOff) ? pods : wish.wiring
  return { wish, left, isWaiting, stamp: kept, isShort: isWaiting && !wish.isAuthOff && pods === undefined }
}

const tooManyKeys = ({ list }: KeyWish): string | undefined =>
  list !== undefined && list.entries.length > mostKeys
    ? `${list.entries.length} keys are to be listed, and a list has room for ${mostKeys}: make fewer agents match this service`
    : undefined

/** Pods that are made while a list cannot change load what it says. */
const unwritable = ({ children: { list }, object }: Observed, wish: KeyWish): string | undefined => {
  if (list === undefined) return undefined
  const name = `ConfigMap ${list.metadata.name}`
  if (!isOurs(list, object)) return `${name} is not this service’s`
  const isToBeReplaced = wish.isChanged && isFixed(list)
  return isToBeReplaced && isTerminating(list)
    ? `${name} cannot be changed, and a finalizer keeps it: remove the finalizer, and the list is created again`
    : undefined
}

/**
 * Whether pods have the list as it is, and do not read it. The former operator mounts it also where no tokens are asked
 * for: that is no reason to restart a ledger.
 */
const isOnlyMounted = ({ isAuthOff, list }: KeyWish, workload: LiveWorkload | undefined): boolean =>
  isAuthOff &&
  workload !== undefined &&
  liveVariable(workload, 'AUTH_ED25519_KEYS') === undefined &&
  isSameStamp(list?.stamp, stampOfPods(workload))
