import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { Secret } from '../../pure/kind.ts'
import { type ObjectKey, printKey } from '../../pure/object.ts'
import { CommandFailure } from '../command-failure.ts'
import { isForbidden } from '../explain.ts'
import { type FoundKey, keyIn, type SecretObject } from './key-material.ts'
import { currentSecretOf, keyIdOf, see, withoutKey } from './status-key.ts'

/**
 * The first copy that may be read and holds the key that the status names: nothing else says which one is right.
 * `hidden` is the namespace of the operator, where that may not be read.
 */
export const keyOfCopy = async (
  client: Client,
  agent: LedgerClusterAgent,
  hidden: string | undefined,
): Promise<FoundKey> => {
  const wanted = keyIdOf(agent)
  const copies = wanted === undefined ? [] : (agent.status?.distributedSecretRefs ?? [])
  const faults: string[] = []
  const unread: ObjectKey[] = hidden === undefined ? [] : [{ namespace: hidden, name: currentSecretOf(agent) }]
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
