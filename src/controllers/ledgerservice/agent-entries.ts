import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { type Generation, generationOf, isInUse, withRemembered } from '../../pure/generation.ts'
import { isListable } from '../../pure/generations.ts'
import type { KeyEntry } from '../../pure/key-list.ts'
import type { Known } from '../../pure/known.ts'
import { agentNames, keyIdAnnotation, revokedAnnotation, serviceNames } from '../../pure/names.ts'
import type { KubeObject } from '../../pure/object.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { rememberedIdsIn } from '../../pure/revoked-keys.ts'

/** A Secret of an agent in the operator's namespace: its metadata, and what its content comes down to. */
export interface SeenKey extends KubeObject {
  readonly key: Known<AgentKeyDigest>
}

/** An agent whose selector matches the service, and that is not being deleted. */
export interface MatchedAgent {
  readonly object: LedgerClusterAgent
  readonly secrets: readonly SeenKey[]
  /** Whether another installation has claimed it. */
  readonly isAnothers: boolean
}

/** What a service shall list of one agent. */
export interface AgentEntries {
  readonly agent: string
  readonly entries: readonly KeyEntry[]
  /** Whether its keys were read and one of them is in use: then it is known what is to be listed. */
  readonly isKnown: boolean
  /** Whether something is listed only because nobody knows better. */
  readonly isCarried: boolean
  /** Whether another installation looks after it. */
  readonly isAnothers: boolean
}

export const entriesOf = ({ object, secrets, isAnothers }: MatchedAgent, listed: readonly KeyEntry[]): AgentEntries => {
  const { name } = object.metadata
  const revoked = [...revocationsOf(object), ...rememberedIdsIn(secrets)]
  const generations = secrets.flatMap((secret) => readingOf(name, secret))
  const read = generations.flatMap((one) => ('known' in one ? [one.known] : []))
  const all = withRemembered(read.map(({ generation }) => generation))
  const isKnown = read.length === generations.length && all.some(isInUse)
  const over = secrets.flatMap((secret) =>
    isOver(name, secret) ? [secret.metadata.annotations?.[keyIdAnnotation]] : [],
  )
  const own = listed.filter(({ agent, keyId }) => agent === name && !revoked.includes(keyId) && !over.includes(keyId))
  const isExplained = (keyId: string) => read.some(({ generation }) => generation.keyId === keyId)
  // What no key explains is somebody's slip, unless the key that would is what cannot be found.
  const carried = own.filter(({ keyId }) => !isExplained(keyId) && (!isKnown || isToldBy(object, keyId)))
  const fresh = read
    .filter(({ generation }) => isListable(generation, all) && !revoked.includes(generation.keyId))
    .map(({ generation, publicKey }) => {
      const { keyId } = generation
      return { agent: name, file: fileOf(name, generation, own), keyId, publicKey }
    })
  const { scopes = null, god = false } = object.spec ?? {}
  return {
    agent: name,
    entries: [...fresh, ...carried].map((entry) => ({ ...entry, scopes, god })),
    isKnown,
    isCarried: carried.length > 0,
    isAnothers,
  }
}

interface Reading {
  readonly generation: Generation
  readonly publicKey: string
}

/** Nothing when the Secret is no key generation; else what its key is, or why that cannot be told. */
const readingOf = (agent: string, { metadata, key }: SeenKey): readonly Known<Reading>[] => {
  if (generationOf(agent, metadata) === undefined) return []
  if ('unknown' in key) return [key]
  if (key.known.is === 'unsound') return [{ unknown: key.known.fault }]
  const { keyId, publicKey } = key.known
  const generation = generationOf(agent, metadata, keyId)
  const isMarkedOther = (metadata.annotations?.[keyIdAnnotation] ?? keyId) !== keyId
  const isNamedOther = generation?.number !== agentNames.generationNumber(agent, metadata.name)
  return generation === undefined || isMarkedOther || isNamedOther
    ? [{ unknown: `it is not the key that its name and its marks say` }]
    : [{ known: { generation, publicKey } }]
}

/** Whether its marks alone say that its key is not accepted any more, also while it cannot be read. */
const isOver = (agent: string, { metadata }: SeenKey): boolean => {
  const generation = generationOf(agent, metadata)
  return generation !== undefined && !isListable(generation, [])
}

/** Whether somebody asked that this key be accepted no longer. */
export const isTakenBack = ({ object, secrets }: MatchedAgent, keyId: string): boolean =>
  revocationsOf(object).includes(keyId) ||
  rememberedIdsIn(secrets).includes(keyId) ||
  secrets.some(
    ({ metadata: { annotations = {} } }) => annotations[keyIdAnnotation] === keyId && revokedAnnotation in annotations,
  )

/** Whether the agent itself says that this key is accepted. */
const isToldBy = ({ status }: LedgerClusterAgent, keyId: string): boolean =>
  status?.keyID === keyId ||
  (status?.generations ?? []).some(
    ({ keyID, state }) => keyID === keyId && (state === 'Minted' || state === 'Current' || state === 'Retiring'),
  )

/** A key keeps the file that it has: another name would be another list, and cost a restart. */
const fileOf = (agent: string, { number, keyId }: Generation, own: readonly KeyEntry[]): string => {
  const listed = own.find((entry) => entry.keyId === keyId)
  if (listed !== undefined) return listed.file
  const file = serviceNames.publicKeyFile(agent, { generation: number, keyId })
  const isTaken = own.some((entry) => entry.file === file)
  return isTaken ? serviceNames.publicKeyFile(agent, { generation: Number.POSITIVE_INFINITY, keyId }) : file
}
