import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { claimAnnotation, keyIdAnnotation } from '../../pure/names.ts'
import { isTerminating, type ObjectKey } from '../../pure/object.ts'
import {
  concernedListingsOf,
  isMarked,
  keyIdOf,
  type Observed,
  outOfScopeNamespacesOf,
  type SeenSecret,
} from './observed.ts'
import { doubtAmong, isOurs, type SoundKey } from './ownership.ts'
import { type Bereft, searchForKey } from './witnesses.ts'

/** The situations that an agent's identity can be in. */
export type Stage =
  | Bereft
  | { readonly is: 'claimed-elsewhere'; readonly by: string }
  /** Our finalizer or our claim is still missing. */
  | { readonly is: 'unmarked' }
  /** Being deleted, and these key holders are still there; whether it may go when they have gone. */
  | {
      readonly is: 'withdrawing'
      readonly copies: readonly SeenSecret[]
      readonly canonical: SeenSecret | undefined
      readonly mayGoThen: boolean
    }
  /** Being deleted, and nothing of it is left that we may touch, but it is still in use, or may be. */
  | {
      readonly is: 'still-held'
      readonly listedBy: readonly ObjectKey[]
      readonly outOfScope: readonly string[]
    }
  /** Being deleted, and nothing of it is left but our finalizer. */
  | { readonly is: 'withdrawn' }
  | { readonly is: 'invalid'; readonly fault: string }
  | { readonly is: 'established'; readonly canonical: SeenSecret; readonly key: SoundKey }

export const stageOf = (observed: Observed): Stage => {
  const { object, operatorNamespace, canonical, doubt } = observed
  const claim = object.metadata.annotations?.[claimAnnotation]
  if (claim !== undefined && claim !== operatorNamespace) return { is: 'claimed-elsewhere', by: claim }
  if (!isMarked(observed)) return { is: 'unmarked' }
  if (doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  if (isTerminating(object)) return withdrawalOf(observed)
  if (canonical === undefined) return searchForKey(observed)
  if ('unknown' in canonical.key) return { is: 'in-doubt', cause: canonical.key.unknown }
  return withCanonical(observed, canonical, canonical.key.known)
}

const withdrawalOf = (observed: Observed): Stage => {
  const { object, canonical, replicas, relics } = observed
  const holders = [...replicas.values(), ...relics, ...(canonical === undefined ? [] : [canonical])]
  const isOwn = (holder: SeenSecret) => isOurs(holder, object.metadata.name)
  const doubt = doubtAmong(holders.filter((holder) => !isOwn(holder)))
  if (doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  const ours = holders.filter(isOwn)
  const then = withoutHolders(observed)
  if (ours.length === 0) return then
  return {
    is: 'withdrawing',
    copies: ours.filter((holder) => holder !== canonical),
    canonical: ours.find((holder) => holder === canonical),
    mayGoThen: then.is === 'withdrawn',
  }
}

const withoutHolders = (observed: Observed): Stage => {
  const listedBy = concernedListingsOf(observed).map(({ service }) => service)
  const outOfScope = outOfScopeNamespacesOf(observed)
  return listedBy.length + outOfScope.length === 0 ? { is: 'withdrawn' } : { is: 'still-held', listedBy, outOfScope }
}

const withCanonical = ({ object }: Observed, canonical: SeenSecret, digest: AgentKeyDigest): Stage => {
  if (digest.is === 'unsound') return { is: 'invalid', fault: digest.fault }
  if (!isOurs(canonical, object.metadata.name)) return { is: 'invalid', fault: 'it is not labelled as this agent’s' }
  const expected = [canonical.metadata.annotations?.[keyIdAnnotation], keyIdOf(object)]
  const other = expected.find((keyId) => keyId !== undefined && keyId !== digest.keyId)
  if (other !== undefined)
    return { is: 'invalid', fault: `it holds key ${digest.keyId}, but this agent’s key is ${other}` }
  return { is: 'established', canonical, key: digest }
}
