import { isDeepStrictEqual } from 'node:util'
import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { LedgerService } from '../../src/api/ledgerservice.ts'
import { digestAgentKey } from '../../src/pure/agent-key.ts'
import { type KeyList, type KeyEntry, keysHashOf, nobodyEntry, readKeyList } from '../../src/pure/key-list.ts'
import { hasRolledOut, revisionIn, stampOfPods, type Workload } from '../../src/pure/key-rollout.ts'
import { matcherOf } from '../../src/pure/label-selector.ts'
import { hasEntryOf, ownedFieldsOf } from '../../src/pure/managed-fields.ts'
import { deleteAnnotation, revokedAnnotation, serviceNames } from '../../src/pure/names.ts'
import { isTerminating, type KubeObject, keyOf, printKey } from '../../src/pure/object.ts'
import { revocationsOf } from '../../src/pure/revocations.ts'
import type { SecretObject } from '../kit/suite.ts'
import { foreignMarksLost } from './foreign-marks.ts'
import type { Revision } from './witness.ts'

/** What is known between two revisions of the keys that services list. What was once so of a key stays so. */
interface World {
  /** Every object of a service, by kind and key. */
  readonly objects: Map<string, KubeObject>
  /** What we last wrote into each key list: what others have made of it since is not what is to stay. */
  readonly listed: Map<string, readonly KeyEntry[]>
  /** Each public key that was in a generation, by its id. */
  readonly publicKeys: Map<string, string>
  readonly revoked: Set<string>
  /** Keys whose end was meant. */
  readonly ending: Set<string>
  /** The agent, as long as it is to stay. */
  agent: LedgerClusterAgent | undefined
}

/** The same as for keys, for those who list and load them. */
export const serviceViolationsOf = (revisions: readonly Revision[], operatorNamespace: string): readonly string[] => {
  const world: World = {
    objects: new Map(),
    listed: new Map(),
    publicKeys: new Map(),
    revoked: new Set(),
    ending: new Set(),
    agent: undefined,
  }
  return revisions.flatMap(({ type, object }) => {
    if (object.kind === 'LedgerClusterAgent') return takeAgent(world, type, object)
    if (object.kind === 'Secret') return object.metadata.namespace === operatorNamespace ? takeKey(world, object) : []
    return takeObject(world, type, object)
  })
}

const takeAgent = (world: World, type: Revision['type'], agent: LedgerClusterAgent): string[] => {
  world.agent = type === 'DELETED' || isTerminating(agent) ? undefined : agent
  for (const keyId of revocationsOf(agent)) world.revoked.add(keyId)
  return []
}

const takeKey = (world: World, { metadata: { annotations = {} }, data }: SecretObject): string[] => {
  const digest = digestAgentKey(data ?? {})
  if (digest.is === 'unsound') return []
  world.publicKeys.set(digest.keyId, digest.publicKey)
  if (annotations[revokedAnnotation] !== undefined) world.revoked.add(digest.keyId)
  if (annotations[deleteAnnotation] === digest.keyId) world.ending.add(digest.keyId)
  return []
}

const nameOf = (object: KubeObject): string => `${object.kind} ${printKey(keyOf(object))}`

const takeObject = (world: World, type: Revision['type'], object: KubeObject): string[] => {
  const before = world.objects.get(nameOf(object))
  if (type === 'DELETED') world.objects.delete(nameOf(object))
  else world.objects.set(nameOf(object), object)
  if (type === 'DELETED') return []
  return [
    ...foreignChanges(before, object),
    ...foreignMarksLost(before, object),
    ...(object.kind === 'ConfigMap' ? listChanges(world, before, object) : []),
    ...(object.kind === 'LedgerService' ? loadedTooEarly(world, before, object) : []),
  ]
}

const isOurs = ({ metadata }: KubeObject): boolean => hasEntryOf(metadata.managedFields, serviceNames.manager)

/** I8: what somebody else made is never written by us. A service is somebody's, and we claim it. */
const foreignChanges = (before: KubeObject | undefined, after: KubeObject): string[] => {
  const wasForeign = before !== undefined && before.metadata.uid === after.metadata.uid && !isOurs(before)
  const isOwn = after.kind === 'LedgerService'
  return wasForeign && !isOwn && isOurs(after) ? [`I8 ${nameOf(after)} was foreign and has been overwritten`] : []
}

const entriesIn = (list: KeyList | undefined): readonly KeyEntry[] | undefined => {
  const read = readKeyList(list?.data ?? {})
  return 'known' in read ? read.known : undefined
}

/** I2 and I3: what we write into a key list, and what we take out. What others write there is theirs to answer for. */
const listChanges = (world: World, before: KeyList | undefined, after: KeyList): string[] => {
  const owned = ownedFieldsOf(after.metadata.managedFields, serviceNames.manager)['f:data']
  if (owned?.['f:auth-keys.json'] === undefined || isDeepStrictEqual(before?.data, after.data)) return []
  const name = nameOf(after)
  const entries = entriesIn(after)
  if (entries === undefined) return [`I2 ${name} is not what a ledger reads`]
  const former = world.listed.get(name) ?? []
  world.listed.set(name, entries)
  const isIn = (list: readonly KeyEntry[], { keyId }: KeyEntry) => list.some((entry) => entry.keyId === keyId)
  return [
    ...entries
      .filter((entry) => !isSound(world, entry, after))
      .map(({ keyId }) => `I2 ${name} lists ${keyId}, which is nobody’s key`),
    ...entries
      .filter((entry) => !isIn(former, entry) && world.revoked.has(entry.keyId))
      .map(({ keyId }) => `I3 ${name} has been given ${keyId}, which is revoked`),
    ...former
      .filter((entry) => !isIn(entries, entry) && !mayLeave(world, entry, after))
      .map(({ keyId }) => `I3 ${name} has lost ${keyId}, which is still accepted`),
  ]
}

const isSound = ({ publicKeys }: World, { agent, keyId, publicKey }: KeyEntry, { metadata }: KeyList): boolean => {
  if (agent !== undefined) return publicKeys.get(keyId) === publicKey
  const services = metadata.ownerReferences ?? []
  return services.some(({ uid }) => nobodyEntry(uid).publicKey === publicKey)
}

const mayLeave = (world: World, { agent, keyId }: KeyEntry, list: KeyList): boolean =>
  agent === undefined ||
  world.agent === undefined ||
  !isMatched(world, world.agent, list) ||
  world.revoked.has(keyId) ||
  world.ending.has(keyId) ||
  !world.publicKeys.has(keyId)

/** While nobody knows what a selector means, what matched before matches. */
const isMatched = ({ objects }: World, { spec }: LedgerClusterAgent, { metadata }: KeyList): boolean => {
  const [name = ''] = serviceNames.ofKeyList(metadata.name)
  const service = objects.get(`LedgerService ${printKey({ namespace: metadata.namespace, name })}`)
  const matcher = matcherOf(spec?.selector ?? {})
  return service === undefined || 'fault' in matcher || matcher.matches(service.metadata.labels ?? {})
}

/** I6: when a key is said to be loaded, every pod was made with the list that it is in. */
const loadedTooEarly = (world: World, before: LedgerService | undefined, after: LedgerService): string[] => {
  const loadedIn = (service: LedgerService | undefined) =>
    (service?.status?.authKeys ?? []).filter(({ state }) => state === 'Loaded').map(({ keyID }) => keyID)
  const news = loadedIn(after).filter((keyId) => !loadedIn(before).includes(keyId))
  const { namespace, name } = after.metadata
  const at = (kind: string, child: string) => world.objects.get(`${kind} ${printKey({ namespace, name: child })}`)
  const list: KeyList | undefined = at('ConfigMap', serviceNames.keyList(name))
  const workload: Workload | undefined = at('StatefulSet', serviceNames.workload(name))
  const entries = entriesIn(list) ?? []
  const stamp = { hash: keysHashOf(entries), revision: revisionIn(list?.metadata.annotations) }
  const isTaken = workload !== undefined && hasRolledOut(workload) && isDeepStrictEqual(stampOfPods(workload), stamp)
  const isLoaded = (id: string) => isTaken && entries.some(({ keyId }) => keyId === id)
  return news.filter((id) => !isLoaded(id)).map((id) => `I6 ${nameOf(after)} says that ${id} is loaded, and it is not`)
}
