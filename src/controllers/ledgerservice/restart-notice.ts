import { type KeyStamp, stampOfPods } from '../../pure/key-rollout.ts'
import { hasIssuer, isAuthOn } from '../../pure/ledger-auth.ts'
import { isTerminating } from '../../pure/object.ts'
import { liveVariable, type LiveWorkload, type Observed, ownWorkloadOf } from './observed.ts'
import { templateChanges } from './retained.ts'
import { wantedWorkload } from './wanted.ts'

/** Says that pods restart, and why, when more than the keys that they load changes in their template. */
export const restartNotices = (observed: Observed, stamp: KeyStamp | undefined): readonly string[] => {
  const live = ownWorkloadOf(observed)
  if (live === undefined || isTerminating(live)) return []
  const changes = templateChanges(wantedWorkload(observed, stamp), live)
  if (changes.length === 0) return []
  const why = refusesToStart(observed, live)
    ? '; the service needs no tokens (spec.auth.enabled is not true), but its pods are given keys: a ledger that has keys and needs no tokens refuses to start, so the keys are removed'
    : ''
  return [`pods restart, because their template changes: ${changes.join(', ')}${why}`]
}

const refusesToStart = ({ complete }: Observed, live: LiveWorkload): boolean =>
  !isAuthOn(complete.spec) && readsKeys(live)

const readsKeys = (live: LiveWorkload): boolean => liveVariable(live, 'AUTH_ED25519_KEYS') !== undefined

/** The keys that pods will load as far as that can be told before the service is claimed: those that they have. */
export const stampBeforeClaim = (observed: Observed): KeyStamp | undefined => {
  const live = ownWorkloadOf(observed)
  if (live === undefined) return undefined
  const { spec } = observed.complete
  const pods = stampOfPods(live)
  if (!isAuthOn(spec)) return readsKeys(live) ? undefined : pods
  return pods ?? (hasIssuer(spec) ? undefined : { hash: '', revision: 0 })
}
