import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { pagesOf } from '../../kube/pages.ts'
import { currentGeneration } from '../../pure/generations.ts'
import { Secret } from '../../pure/kind.ts'
import { agentNames, claimAnnotation } from '../../pure/names.ts'
import { type ObjectKey, type ObjectMeta, printKey } from '../../pure/object.ts'
import { CommandFailure } from '../command-failure.ts'
import { isForbidden } from './explain.ts'
import { type FoundKey, keyIn, type SecretObject } from './key-material.ts'

/** The agent's current key: from the operator's namespace, or where that may not be read from a copy of it. */
export const findKey = async (client: Client, agent: LedgerClusterAgent): Promise<FoundKey> => {
  const namespace = agent.metadata.annotations?.[claimAnnotation]
  if (namespace === undefined) return keyOfCopy(client, agent, undefined)
  const canonical = await canonicalIn(client, agent.metadata.name, namespace)
  if (canonical === 'hidden') return keyOfCopy(client, agent, namespace)
  if (canonical === undefined) throw withoutKey(agent, namespace)
  const key = keyIn(canonical, agent.metadata.name, keyIdOf(agent))
  if (typeof key !== 'string') return key
  throw new CommandFailure('unsound', `${key}: it is not handed out; see what the agent says with: ${see(agent)}`)
}

/** The Secret of the current generation. Only its own content is read: the others' metadata say enough. */
const canonicalIn = async (
  client: Client,
  agent: string,
  namespace: string,
): Promise<SecretObject | 'hidden' | undefined> => {
  try {
    const name = await currentNameIn(client, agent, namespace)
    return name === undefined || name === 'hidden' ? name : await client.get<SecretObject>(Secret, { namespace, name })
  } catch (error) {
    if (isForbidden(error)) return 'hidden'
    throw error
  }
}

const currentNameIn = async (client: Client, agent: string, namespace: string): Promise<string | undefined> => {
  const listed = await generationsIn(client, agent, namespace)
  // Who may not list may still be allowed to read this one by its name. When it is not current, which is cannot be told.
  const secrets = listed ?? (await canonicalAlone(client, agent, namespace))
  const current = currentGeneration(agent, secrets)
  switch (current.is) {
    case 'current':
      return current.secret.name
    case 'none':
      return listed === undefined ? 'hidden' : undefined
    case 'several': {
      const names = current.secrets.map(({ name }) => name).join(' and ')
      const why = `in namespace ${namespace}, ${names} both say that they are the current key of agent "${agent}"`
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
    const pages = await Array.fromAsync(pagesOf(client, Secret, selection, 'metadata'))
    return pages.flatMap(({ items }) => items.map(({ metadata }) => metadata))
  } catch (error) {
    if (isForbidden(error)) return undefined
    throw error
  }
}

const canonicalAlone = async (client: Client, agent: string, namespace: string): Promise<readonly ObjectMeta[]> => {
  const canonical = await client.get(Secret, { namespace, name: agentNames.canonical(agent) }, 'metadata')
  return canonical === undefined ? [] : [canonical.metadata]
}

/** The first copy that may be read and holds the key that the status names: nothing else says which one is right. */
const keyOfCopy = async (client: Client, agent: LedgerClusterAgent, hidden: string | undefined): Promise<FoundKey> => {
  const wanted = keyIdOf(agent)
  const copies = wanted === undefined ? [] : (agent.status?.distributedSecretRefs ?? [])
  const faults: string[] = []
  const unread: ObjectKey[] =
    hidden === undefined ? [] : [{ namespace: hidden, name: agentNames.canonical(agent.metadata.name) }]
  for (const copy of copies) {
    const secret = await readable(client, copy)
    if (secret === 'hidden') unread.push(copy)
    const key = secret === 'hidden' || secret === undefined ? undefined : keyIn(secret, agent.metadata.name, wanted)
    if (typeof key === 'object') return key
    if (key !== undefined) faults.push(key)
  }
  if (faults.length > 0) {
    throw new CommandFailure(
      'unsound',
      `${faults.join('; ')}: no key is handed out; see what the agent says with: ${see(agent)}`,
    )
  }
  if (unread.length === 0) throw withoutKey(agent, undefined)
  const places = unread.map((key) => printKey(key)).join(', ')
  throw new CommandFailure(
    'forbidden',
    `no Secret with the key of agent "${agent.metadata.name}" may be read: ask for the right to get one of ${places}`,
  )
}

const readable = async (client: Client, key: ObjectKey): Promise<SecretObject | 'hidden' | undefined> => {
  try {
    return await client.get<SecretObject>(Secret, key)
  } catch (error) {
    if (isForbidden(error)) return 'hidden'
    throw error
  }
}

const withoutKey = (agent: LedgerClusterAgent, namespace: string | undefined): CommandFailure => {
  const { name } = agent.metadata
  const wanted = keyIdOf(agent)
  if (wanted === undefined) {
    return new CommandFailure('notReady', `agent "${name}" has no key yet: see why with: ${see(agent)}`)
  }
  const where = namespace === undefined ? 'in none of its Secrets' : `not in namespace ${namespace}`
  return new CommandFailure(
    'notFound',
    `key ${wanted} of agent "${name}" is ${where}: see what the agent says with: ${see(agent)}`,
  )
}

/** The former operator blanks it where there is none. */
const keyIdOf = ({ status }: LedgerClusterAgent): string | undefined =>
  status?.keyID === '' ? undefined : status?.keyID

const see = ({ metadata }: LedgerClusterAgent): string => `kubectl ledger agents get ${metadata.name}`
