import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { hasEntryOf } from '../../pure/managed-fields.ts'
import { agentNames, claimAnnotation } from '../../pure/names.ts'
import { keyOf, printKey } from '../../pure/object.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { rememberedIdsIn } from '../../pure/revoked-keys.ts'
import type { Observed, SeenSecret } from './observed.ts'

export type SoundKey = AgentKeyDigest & { is: 'sound' }

/** A Secret whose key holds together. */
export interface Sound {
  readonly secret: SeenSecret
  readonly key: SoundKey
}

export const soundly = (secret: SeenSecret): readonly Sound[] =>
  'known' in secret.key && secret.key.known.is === 'sound' ? [{ secret, key: secret.key.known }] : []

const isLabelled = ({ metadata }: SeenSecret, agent: string): boolean => metadata.labels?.[agentNames.label] === agent

/** Whether it carries our managedFields entry. A tenant can forge that: it makes nothing in it trusted. */
export const isWrittenByUs = ({ metadata }: SeenSecret): boolean =>
  hasEntryOf(metadata.managedFields, agentNames.manager)

/** Ours: we wrote to it, or it has the label, the name and a key that holds together. All else is foreign. */
export const isOurs = (secret: SeenSecret, agent: string): boolean =>
  isWrittenByUs(secret) || (isLabelled(secret, agent) && soundly(secret).length > 0)

/** Relics that another installation has not claimed. */
export const ownRelicsOf = ({ relics, operatorNamespace }: Observed): readonly SeenSecret[] =>
  relics.filter(({ metadata }) => (metadata.annotations?.[claimAnnotation] ?? operatorNamespace) === operatorNamespace)

/** The ids of the keys that a user revokes, and of those that the agent's generations remember as revoked. */
export const revokedIdsOf = ({ object, generations }: Observed): ReadonlySet<string> =>
  new Set([...revocationsOf(object), ...rememberedIdsIn(generations)])

/**
 * Copies that may be the agent's key: labelled, at a name that its Secrets have or had, holding together, and not taken
 * back. In order.
 */
export const candidatesOf = (observed: Observed, relics = ownRelicsOf(observed)): readonly Sound[] => {
  const revoked = revokedIdsOf(observed)
  return [...observed.replicas.values(), ...relics]
    .filter((secret) => isLabelled(secret, observed.object.metadata.name))
    .flatMap(soundly)
    .filter(({ key }) => !revoked.has(key.keyId))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const nameOf = ({ secret }: Sound): string => printKey(keyOf(secret))

/** Why one of these could not be read, if so. */
export const doubtAmong = (secrets: readonly SeenSecret[]): string | undefined =>
  secrets.flatMap(({ key }) => ('unknown' in key ? [key.unknown] : []))[0]
