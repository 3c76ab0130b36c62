import type { KeyStamp } from '../../pure/key-rollout.ts'
import { stampOfPods } from '../../pure/key-rollout.ts'
import { type KeyWish, keyWishOf } from './key-wish.ts'
import { keySightOf, type Observed, ownWorkloadOf } from './observed.ts'
import { isOurs } from './ownership.ts'

/** What is done about the keys of a service in this pass. */
export interface Keys {
  readonly wish: KeyWish
  /** Whether the list stays as it is for now: for a live look, for changes that may follow, or for what cannot be told. */
  readonly isWaiting: boolean
  /** What the pods shall be made with; undefined when they get no keys. */
  readonly stamp: KeyStamp | undefined
  /** Whether pods would be made without the keys that they are to have. */
  readonly isShort: boolean
}

export const keysOf = (observed: Observed): Keys => {
  const { children, object, doubt, settlesAt } = observed
  const wish = keyWishOf(keySightOf(observed))
  const isForeign = children.list !== undefined && !isOurs(children.list, object)
  const isWaiting = wish.left !== undefined || doubt !== undefined || settlesAt !== undefined || isForeign
  const workload = ownWorkloadOf(observed)
  const pods = workload && stampOfPods(workload)
  return {
    wish,
    isWaiting,
    stamp: isWaiting && !wish.isAuthOff ? pods : wish.wiring,
    isShort: isWaiting && !wish.isAuthOff && pods === undefined,
  }
}
