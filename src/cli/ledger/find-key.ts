import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { pagesOf } from '../../kube/pages.ts'
import { currentGeneration } from '../../pure/generation.ts'
import { Secret } from '../../pure/kind.ts'
import { agentNames, claimAnnotation } from '../../pure/names.ts'
import type { ObjectKey, ObjectMeta } from '../../pure/object.ts'
import { CommandFailure } from '../command-failure.ts'
import { isForbidden } from '../explain.ts'
import { keyOfCopy } from './copied-key.ts'
import { type FoundKey, keyIn, type SecretObject } from './key-material.ts'
import { currentSecretOf, keyIdOf, see, withoutKey } from './status-key.ts'

/** The agent's current key: from the operator's namespace, or where that may not be read from a copy of it. */
export const findKey = async (client: Client, agent: LedgerClusterAgent): Promise<FoundKey> => {
  const namespace = agent.metadata.annotations?.[claimAnnotation] ?? ''
  if (namespace === '') return keyOfCopy(client, agent, undefined)
  const canonical = await canonicalIn(client, agent, namespace)
  if (canonical === 'hidden') return keyOfCopy(client, agent, namespace)
  if (canonical === undefined) throw withoutKey(agent, namespace)
  const key = keyIn(canonical, agent.metadata.name, keyIdOf(agent))
  if (typeof key !== 'string') return key
  throw new CommandFailure('unsound', `${key}: it is not handed out; see what the agent says with: ${see(agent)}`)
}

/** The Secret of the current generation. Only its own content is read: the others' metadata say enough. */
const canonicalIn = async (
  client: Client,
  agent: LedgerClusterAgent,
  namespace: string,
): Promise<SecretObject | 'hidden' | undefined> => {
  try {
    const current = await currentIn(client, agent, namespace)
    if (current === undefined || current === 'hidden') return current
    return await client.get<SecretObject>(Secret, { namespace, name: current.name })
  } catch (error) {
    if (isForbidden(error)) return 'hidden'
    throw error
  }
}

const currentIn = async (
  client: Client,
  agent: LedgerClusterAgent,
  namespace: string,
): Promise<ObjectMeta | 'hidden' | undefined> => {
  const { name } = agent.metadata
  const listed = await generationsIn(client, name, namespace)
  // Who may not list may still be allowed to read this one by its name. When it is not current, which is cannot be told.
  const secrets = listed ?? (await secretAlone(client, { namespace, name: currentSecretOf(agent) }))
  const current = currentGeneration(name, secrets)
  switch (current.is) {
    case 'current':
      return current.secret
    case 'none':
      return listed === undefined ? 'hidden' : undefined
    case 'several': {
      const names = current.secrets.map((secret) => secret.name).join(' and ')
      const why = `in namespace ${namespace}, ${names} both say that they are the current key of agent "${name}"`
      throw new CommandFailure('unsound', `${why}: none is handed out; find out which one its services know`)
    }
  }
}

const generationsIn = async (
  client: Client,
  agent: string,
  namespace: string,
): Promise<readonly ObjectMeta[] | undefined> => {
  const selection = { namespace, labelSelector: `${agentNames.label}=${agent}` }
  try {
    const pages = await Array.fromAsync(pagesOf(client, Secret, selection, { extent: 'metadata' }))
    return pages.flatMap(({ items }) => items.map(({ metadata }) => metadata))
  } catch (error) {
    if (isForbidden(error)) return undefined
    throw error
  }
}

const secretAlone = async (client: Client, key: ObjectKey): Promise<readonly ObjectMeta[]> => {
  const secret = await client.get(Secret, key, 'metadata')
  return secret === undefined ? [] : [secret.metadata]
}
