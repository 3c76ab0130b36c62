import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { hasEntryOf, ownedFieldsOf } from '../../src/pure/managed-fields.ts'
import { agentNames, keyIdAnnotation } from '../../src/pure/names.ts'
import { type KubeObject, keyOf, printKey } from '../../src/pure/object.ts'
import type { SecretObject } from '../kit/suite.ts'
import { leaksOf } from './leaks.ts'
import type { Revision } from './witness.ts'

/** What the invariants need to know of a run besides its revisions. */
export interface Run {
  readonly operatorNamespace: string
  readonly logs: readonly string[]
  /** Seeds that were sent, in base64. */
  readonly seeds: readonly string[]
}

/** The world as it was between two revisions. */
interface World {
  readonly secrets: Map<string, SecretObject>
  agent: LedgerClusterAgent | undefined
  /** The id of the first key that the agent had. */
  keyId: string | undefined
}

/** Looks at every revision of a run, one after the other; each sentence begins with the invariant that was broken. */
export const violationsOf = (revisions: readonly Revision[], run: Run): readonly string[] => {
  const world: World = { secrets: new Map(), agent: undefined, keyId: undefined }
  const found = revisions.flatMap((revision) => {
    const { type, object } = revision
    if (object.kind !== 'Secret') return takeAgent(world, type, object)
    return takeSecret(world, type, object, run)
  })
  return [...new Set([...found, ...leaksOf(revisions, run.logs, run.seeds)])]
}

const isOurs = ({ metadata }: KubeObject): boolean => hasEntryOf(metadata.managedFields, agentNames.manager)

const takeSecret = (world: World, type: Revision['type'], secret: SecretObject, run: Run): string[] => {
  const key = printKey(keyOf(secret))
  const before = world.secrets.get(key)
  if (type === 'DELETED') world.secrets.delete(key)
  else world.secrets.set(key, secret)
  if (type === 'DELETED') return []
  return [
    ...keyChanges(world, secret, run),
    ...foreignChanges(before, secret),
    ...foreignMarksLost(before, secret),
    ...finalizerLate(world, before, secret),
  ]
}

/** I1 and I2: the canonical, and whatever we wrote ourselves, holds the one key of this agent. */
const keyChanges = (world: World, secret: SecretObject, run: Run): string[] => {
  const isCanonical =
    secret.metadata.namespace === run.operatorNamespace && secret.metadata.name.includes('-agent-canonical')
  const seedIsOurs =
    ownedFieldsOf(secret.metadata.managedFields, agentNames.manager)['f:data']?.['f:seed.hex'] !== undefined
  if (!isCanonical && !seedIsOurs) return []
  const name = printKey(keyOf(secret))
  const digest = digestAgentKey(secret.data ?? {})
  if (digest.is === 'unsound') return isCanonical || seedIsOurs ? [`I2 ${name}: ${digest.fault}`] : []
  world.keyId ??= digest.keyId
  const mark = secret.metadata.annotations?.[keyIdAnnotation]
  return [
    ...(digest.keyId === world.keyId ? [] : [`I1 ${name} holds another key than the agent had`]),
    ...(mark === undefined || mark === digest.keyId ? [] : [`I2 ${name} is marked with another key id than it holds`]),
  ]
}

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

/** I8 within one object: what somebody wrote beside ours stays, as nobody here ever takes it back. */
const foreignMarksLost = (before: KubeObject | undefined, after: KubeObject): string[] => {
  if (before?.metadata.uid !== after.metadata.uid) return []
  const marks = Object.entries(before.metadata.annotations ?? {}).filter(([name]) => name.startsWith('example.com/'))
  return marks.flatMap(([name, value]) =>
    after.metadata.annotations?.[name] === value
      ? []
      : [`I8 ${printKey(keyOf(after))} has lost the annotation ${name}`],
  )
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
  const isOtherKey = status?.keyID !== undefined && world.keyId !== undefined && status.keyID !== world.keyId
  return [
    ...(isAhead ? ['I6 the status speaks of a generation that does not exist yet'] : []),
    ...(isOtherKey ? [`I1 the status names key ${status.keyID}, the agent had ${world.keyId}`] : []),
    ...readyTooEarly(world, before, agent),
    ...foreignMarksLost(before, agent),
    ...left.map((secret) => `I9 the finalizer went before ${printKey(keyOf(secret))}`),
  ]
}

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
    return digest.is === 'sound' && digest.keyId === world.keyId
      ? []
      : [`I6 Ready is true, but ${key} does not hold the key`]
  })
  return [...missing, ...bare]
}
