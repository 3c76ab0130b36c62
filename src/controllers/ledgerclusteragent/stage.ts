import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { hasEntryOf } from '../../pure/managed-fields.ts'
import { agentNames, claimAnnotation, keyIdAnnotation } from '../../pure/names.ts'
import { isTerminating } from '../../pure/object.ts'
import { isMarked, type Observed, type SeenSecret, targetNamespacesOf } from './observed.ts'

export type SoundKey = AgentKeyDigest & { is: 'sound' }

/** The situations that an agent's identity can be in. */
export type Stage =
  | { readonly is: 'claimed-elsewhere'; readonly by: string }
  /** Our finalizer or our claim is still missing. */
  | { readonly is: 'unmarked' }
  | { readonly is: 'in-doubt'; readonly cause: string }
  /** Being deleted, and these key holders are still there. */
  | { readonly is: 'withdrawing'; readonly replicas: readonly SeenSecret[]; readonly canonical: SeenSecret | undefined }
  /** Being deleted, and nothing of it is left but our finalizer. */
  | { readonly is: 'withdrawn' }
  /** No target has ever asked for a key. */
  | { readonly is: 'unneeded' }
  | { readonly is: 'unminted' }
  /** There was a key, and its canonical Secret is gone. */
  | { readonly is: 'lost'; readonly keyId: string | undefined; readonly source: Sound | undefined }
  | { readonly is: 'invalid'; readonly fault: string }
  | { readonly is: 'established'; readonly canonical: SeenSecret; readonly key: SoundKey }

export interface Sound {
  readonly secret: SeenSecret
  readonly key: SoundKey
}

export const stageOf = (observed: Observed): Stage => {
  const { object, operatorNamespace, canonical, doubt } = observed
  const claim = object.metadata.annotations?.[claimAnnotation]
  if (claim !== undefined && claim !== operatorNamespace) return { is: 'claimed-elsewhere', by: claim }
  if (!isMarked(observed)) return { is: 'unmarked' }
  if (doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  if (isTerminating(object)) return withdrawalOf(observed)
  if (canonical === undefined) return withoutCanonical(observed)
  if ('unknown' in canonical.key) return { is: 'in-doubt', cause: canonical.key.unknown }
  return withCanonical(observed, canonical, canonical.key.known)
}

/** Ours: we wrote to it, or it has the label, the name and a key that holds together. All else is foreign. */
export const isOurs = ({ metadata, key }: SeenSecret, agent: string): boolean =>
  hasEntryOf(metadata.managedFields, agentNames.manager) ||
  (metadata.labels?.[agentNames.label] === agent && 'known' in key && key.known.is === 'sound')

const soundKeyOf = ({ key }: SeenSecret): SoundKey | undefined =>
  'known' in key && key.known.is === 'sound' ? key.known : undefined

const doubtAmong = (secrets: readonly SeenSecret[]): string | undefined =>
  secrets.flatMap(({ key }) => ('unknown' in key ? [key.unknown] : []))[0]

const withdrawalOf = ({ object, canonical, replicas }: Observed): Stage => {
  const agent = object.metadata.name
  const holders = [...replicas.values(), ...(canonical === undefined ? [] : [canonical])]
  const doubt = doubtAmong(holders.filter((holder) => !isOurs(holder, agent)))
  if (doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  const ours = holders.filter((holder) => isOurs(holder, agent))
  if (ours.length === 0) return { is: 'withdrawn' }
  return {
    is: 'withdrawing',
    replicas: ours.filter((holder) => holder !== canonical),
    canonical: ours.find((holder) => holder === canonical),
  }
}

/** A key is minted only when nothing at all shows that there was one before. */
const withoutCanonical = ({ object, replicas }: Observed): Stage => {
  const keyId = object.status?.keyID
  const copies = [...replicas.values()].filter((replica) => isOurs(replica, object.metadata.name))
  const sources = copies.flatMap((secret) => {
    const key = soundKeyOf(secret)
    // Only the status says which key it was: a tenant can write to replicas, and could plant one.
    return key !== undefined && key.keyId === keyId ? [{ secret, key }] : []
  })
  const doubt = doubtAmong([...replicas.values()])
  if (sources.length === 0 && doubt !== undefined) return { is: 'in-doubt', cause: doubt }
  if (keyId !== undefined || copies.length > 0) return { is: 'lost', keyId, source: sources[0] }
  return { is: targetNamespacesOf(object).length === 0 ? 'unneeded' : 'unminted' }
}

const withCanonical = ({ object }: Observed, canonical: SeenSecret, digest: AgentKeyDigest): Stage => {
  if (digest.is === 'unsound') return { is: 'invalid', fault: digest.fault }
  if (!isOurs(canonical, object.metadata.name)) return { is: 'invalid', fault: 'it is not labelled as this agent’s' }
  const expected = [canonical.metadata.annotations?.[keyIdAnnotation], object.status?.keyID]
  const other = expected.find((keyId) => keyId !== undefined && keyId !== digest.keyId)
  if (other !== undefined)
    return { is: 'invalid', fault: `it holds key ${digest.keyId}, but this agent’s key is ${other}` }
  return { is: 'established', canonical, key: digest }
}
