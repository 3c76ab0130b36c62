import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { hasEntryOf, ownedFieldsOf } from '../../src/pure/managed-fields.ts'
import {
  agentNames,
  keyIdAnnotation,
  revokeAnnotation,
  revokedAnnotation,
  rotateAnnotation,
} from '../../src/pure/names.ts'
import { isTerminating, type KubeObject, keyOf, printKey } from '../../src/pure/object.ts'
import type { SecretObject } from '../kit/suite.ts'
import { deletedTooEarly } from './early-deletion.ts'
import { endedTooEarly } from './early-end.ts'
import { foreignMarksLost } from './foreign-marks.ts'
import { leaksOf } from './leaks.ts'
import { serviceViolationsOf } from './service-invariants.ts'
import type { Revision } from './witness.ts'

/** What the invariants need to know of a run besides its revisions. */
export interface Run {
  readonly operatorNamespace: string
  readonly logs: readonly string[]
  /** Seeds that were sent, in base64. */
  readonly seeds: readonly string[]
  /** What the operator's clock showed in the end. */
  readonly now: number
}

/** The world as it was between two revisions. */
interface World {
  readonly secrets: Map<string, SecretObject>
  agent: LedgerClusterAgent | undefined
  /** The ids of the keys that the agent has had. */
  readonly keyIds: Set<string>
  /** The ids of the keys that were ever marked as revoked. */
  readonly revoked: Set<string>
  /** What people asked for that makes another key: rotations and revocations. */
  readonly asked: Set<string>
}

/** Looks at every revision of a run, one after the other; each sentence begins with the invariant that was broken. */
export const violationsOf = (revisions: readonly Revision[], run: Run): readonly string[] => {
  const world: World = { secrets: new Map(), agent: undefined, keyIds: new Set(), revoked: new Set(), asked: new Set() }
  const found = revisions.flatMap((revision) => {
    const { type, object } = revision
    if (object.kind === 'Secret') return takeSecret(world, type, object, run)
    return object.kind === 'LedgerClusterAgent' ? takeAgent(world, type, object) : []
  })
  const ofServices = serviceViolationsOf(revisions, run.operatorNamespace)
  return [...new Set([...found, ...ofServices, ...leaksOf(revisions, run.logs, run.seeds)])]
}

const isOurs = ({ metadata }: KubeObject): boolean => hasEntryOf(metadata.managedFields, agentNames.manager)

const takeSecret = (world: World, type: Revision['type'], secret: SecretObject, run: Run): string[] => {
  const key = printKey(keyOf(secret))
  const before = world.secrets.get(key)
  if (type === 'DELETED') world.secrets.delete(key)
  else world.secrets.set(key, secret)
  if (type === 'DELETED') return []
  const { annotations = {} } = secret.metadata
  if (annotations[revokedAnnotation] !== undefined) world.revoked.add(annotations[keyIdAnnotation] ?? '')
  return [
    ...keyChanges(world, before, secret, run),
    ...foreignChanges(before, secret),
    ...foreignMarksLost(before, secret),
    ...finalizerLate(world, before, secret),
    ...endChanges(world, before, secret, run),
  ]
}

/** With its agent every key goes. */
const endChanges = (world: World, before: SecretObject | undefined, after: SecretObject, run: Run): string[] => {
  const { secrets, agent } = world
  if (agent === undefined || isTerminating(agent)) return []
  const isNamed = ({ metadata }: SecretObject) => metadata.name === agentNames.replica(agent.metadata.name)
  const copies = [...secrets.values()].filter((secret) => isNamed(secret) && !isForeign(secret))
  if (after.metadata.namespace !== run.operatorNamespace || isNamed(after)) return []
  const others = [...secrets.values()].filter(
    (other) => other.metadata.namespace === run.operatorNamespace && other !== after && !isNamed(other),
  )
  return [
    ...endedTooEarly(before, after, { copies, now: run.now }),
    ...deletedTooEarly(before, after, { copies, others }),
  ]
}

/** I1 and I2: whatever we wrote ourselves holds a key of this agent, and there is another only where somebody asked. */
const keyChanges = (world: World, before: SecretObject | undefined, secret: SecretObject, run: Run): string[] => {
  const isCanonical =
    secret.metadata.namespace === run.operatorNamespace && secret.metadata.name.includes('-agent-canonical')
  const seedIsOurs =
    ownedFieldsOf(secret.metadata.managedFields, agentNames.manager)['f:data']?.['f:seed.hex'] !== undefined
  if (!isCanonical && !seedIsOurs) return []
  const name = printKey(keyOf(secret))
  const digest = digestAgentKey(secret.data ?? {})
  if (digest.is === 'unsound') return isCanonical || seedIsOurs ? [`I2 ${name}: ${digest.fault}`] : []
  const isNew = !world.keyIds.has(digest.keyId)
  const mayBeNew = isCanonical || world.keyIds.size === 0
  world.keyIds.add(digest.keyId)
  const mark = secret.metadata.annotations?.[keyIdAnnotation]
  return [
    ...(isNew && !mayBeNew ? [`I1 ${name} holds a key that the agent never had`] : []),
    ...(world.keyIds.size > 1 + world.asked.size ? [`I1 ${name} holds another key, and nobody asked for it`] : []),
    ...(seedIsOurs && hasNewKey(before, secret) && world.revoked.has(digest.keyId)
      ? [`I3 ${name} has been given a revoked key`]
      : []),
    ...(mark === undefined || mark === digest.keyId ? [] : [`I2 ${name} is marked with another key id than it holds`]),
  ]
}

const hasNewKey = (before: SecretObject | undefined, after: SecretObject): boolean =>
  before?.data?.['seed.hex'] !== after.data?.['seed.hex']

/** Neither written by us nor a copy from before: labelled, at a copy's name, with a key that holds together. */
const isForeign = (secret: SecretObject): boolean => {
  const { name, labels } = secret.metadata
  const isLabelled = agentNames.ofSecret(name).includes(labels?.[agentNames.label] ?? '')
  return !isOurs(secret) && !(isLabelled && digestAgentKey(secret.data ?? {}).is === 'sound')
}

/** I8: what somebody else made is never written by us. */
const foreignChanges = (before: SecretObject | undefined, after: SecretObject): string[] => {
  const wasForeign = before !== undefined && before.metadata.uid === after.metadata.uid && isForeign(before)
  return wasForeign && isOurs(after) ? [`I8 ${printKey(keyOf(after))} was foreign and has been overwritten`] : []
}

/** I9, first half: no key outside before the finalizer is on. */
const finalizerLate = (world: World, before: SecretObject | undefined, after: SecretObject): string[] => {
  const isNew = before?.metadata.uid !== after.metadata.uid && isOurs(after)
  const isHeld = world.agent?.metadata.finalizers?.includes(agentNames.finalizer) ?? false
  return isNew && !isHeld ? [`I9 ${printKey(keyOf(after))} was made before the agent had its finalizer`] : []
}

const takeAgent = (world: World, type: Revision['type'], agent: LedgerClusterAgent): string[] => {
  const before = world.agent
  world.agent = type === 'DELETED' ? undefined : agent
  if (type === 'DELETED') {
    return [...world.secrets.values()].filter(isOurs).map((left) => `I9 ${printKey(keyOf(left))} outlived its agent`)
  }
  const { status, metadata } = agent
  const hasFinalizer = (a: LedgerClusterAgent) => a.metadata.finalizers?.includes(agentNames.finalizer) ?? false
  const hasLetGo = before !== undefined && hasFinalizer(before) && !hasFinalizer(agent)
  const left = hasLetGo ? [...world.secrets.values()].filter(isOurs) : []
  const generation = metadata.generation ?? 0
  const claims = [status?.observedGeneration, ...(status?.conditions ?? []).map((c) => c.observedGeneration)]
  const isAhead = claims.some((observed) => (observed ?? 0) > generation)
  for (const request of requestsIn(agent)) world.asked.add(request)
  const isOtherKey = status?.keyID !== undefined && world.keyIds.size > 0 && !world.keyIds.has(status.keyID)
  return [
    ...(isAhead ? ['I6 the status speaks of a generation that does not exist yet'] : []),
    ...(isOtherKey ? [`I1 the status names key ${status.keyID}, which the agent never had`] : []),
    ...readyTooEarly(world, before, agent),
    ...foreignMarksLost(before, agent),
    ...left.map((secret) => `I9 the finalizer went before ${printKey(keyOf(secret))}`),
  ]
}

const requestsIn = ({ metadata: { annotations = {} } }: LedgerClusterAgent): readonly string[] =>
  [annotations[rotateAnnotation], annotations[revokeAnnotation]].filter((request) => request !== undefined)

/** I6: when Ready turns true, everything that it stands for is there. */
const readyTooEarly = (world: World, before: LedgerClusterAgent | undefined, agent: LedgerClusterAgent): string[] => {
  const readyOf = (a?: LedgerClusterAgent) => a?.status?.conditions?.find(({ type }) => type === 'Ready')
  const ready = readyOf(agent)
  const isNews = JSON.stringify(ready) !== JSON.stringify(readyOf(before))
  if (!isNews || ready?.status !== 'True' || ready.observedGeneration !== agent.metadata.generation) return []
  const holders = [...world.secrets.values()].filter((secret) => digestAgentKey(secret.data ?? {}).is === 'sound')
  const hasCanonical = holders.some(({ metadata }) => metadata.name.includes('-agent-canonical'))
  const missing = hasCanonical ? [] : ['I6 Ready is true, but there is no canonical Secret']
  const bare = (agent.spec?.additionalNamespaces ?? []).flatMap((namespace) => {
    const key = printKey({ namespace, name: agentNames.replica(agent.metadata.name) })
    const digest = digestAgentKey(world.secrets.get(key)?.data ?? {})
    return digest.is === 'sound' && digest.keyId === agent.status?.keyID
      ? []
      : [`I6 Ready is true, but ${key} does not hold the key`]
  })
  return [...missing, ...bare]
}
