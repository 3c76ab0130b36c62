import { agentNames } from '../../pure/names.ts'
import { rememberedIdsIn } from '../../pure/revoked-keys.ts'
import { type Observed, type SeenSecret, targetNamespacesOf } from './observed.ts'
import { isOurs, ownRelicsOf, type Sound, soundly } from './ownership.ts'

/** Copies where none belongs. */
export interface Surplus {
  /** They hold a key of the agent, and go. */
  readonly collectable: readonly SeenSecret[]
  /** They hold something else: that is evidence, and stays. */
  readonly differing: readonly SeenSecret[]
  /** What they hold could not be read. */
  readonly unreadable: readonly SeenSecret[]
}

/** `served` are the namespaces that have the key under the name that it has now. */
export const surplusOf = (observed: Observed, held: readonly Sound[], served: readonly string[]): Surplus => {
  const { object, matched, replicas } = observed
  const agent = object.metadata.name
  const targets = targetNamespacesOf(observed)
  const displaced = [...replicas.values()].filter(({ metadata }) => !targets.includes(metadata.namespace ?? ''))
  const early = ownRelicsOf(observed).filter(
    ({ metadata: { namespace = '', name } }) =>
      name === agentNames.earlyReplica(agent) && (served.includes(namespace) || !targets.includes(namespace)),
  )
  // Who does not know what the selector means does not know what is surplus.
  const surplus = 'fault' in matched ? [] : [...displaced, ...early].filter((secret) => mayBeOurs(secret, agent))
  const keyIds = [...held.map(({ key }) => key.keyId), ...rememberedIdsIn(observed.generations)]
  const holdsOurKey = (secret: SeenSecret) => soundly(secret).some(({ key }) => keyIds.includes(key.keyId))
  return {
    collectable: surplus.filter(holdsOurKey),
    differing: surplus.filter((secret) => 'known' in secret.key && !holdsOurKey(secret)),
    unreadable: surplus.filter(({ key }) => 'unknown' in key),
  }
}

const mayBeOurs = (secret: SeenSecret, agent: string): boolean => 'unknown' in secret.key || isOurs(secret, agent)
