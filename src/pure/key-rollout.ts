import { type KeyList, keysHashOf, keysVolume, readKeyList } from './key-list.ts'
import { keysRevisionAnnotation, serviceNames } from './names.ts'
import type { KubeObject } from './object.ts'

type Annotations = Readonly<Record<string, string>>

/** A StatefulSet, as far as it tells which keys its pods have loaded. */
export interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly template?: {
      readonly metadata?: { readonly annotations?: Annotations }
      readonly spec?: { readonly volumes?: readonly { readonly name: string }[] }
    }
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly updatedReplicas?: number
    readonly currentRevision?: string
    readonly updateRevision?: string
  }
}

/**
 * Which content of a key list pods were made with. The revision is a part of it: a list that was changed and changed back
 * has the hash that it had, and a pod that started in between has loaded something else.
 */
export interface KeyStamp {
  readonly hash: string
  readonly revision: number
}

/** A service's key list and its pods. */
export interface Consumption {
  /** Undefined when there is no list, or when what it says cannot be told. */
  readonly list: { readonly stamp: KeyStamp; readonly keyIds: ReadonlySet<string> } | undefined
  readonly workload: Workload | undefined
}

/** Listed, and not with every pod yet; with every pod; or not listed any more, but maybe still with a pod. */
export type KeyState = 'Published' | 'Loaded' | 'Draining'

/** How far a key has come; undefined when no pod has it, and none will get it. */
export const keyStateOf = (keyId: string, consumption: Consumption): KeyState | undefined => {
  const { list, workload } = consumption
  const isListed = list?.keyIds.has(keyId) === true
  if (workload === undefined) return isListed ? 'Published' : undefined
  const isTaken = hasTakenList(consumption)
  if (isListed) return isTaken ? 'Loaded' : 'Published'
  const hasNone = stampOfPods(workload) === undefined && hasRolledOut(workload)
  return isTaken || hasNone ? undefined : 'Draining'
}

/** What pods load of a key list; undefined when there is none, or when what it says cannot be told. */
export const loadableOf = (list: KeyList | undefined): Consumption['list'] => {
  const read = readKeyList(list?.data ?? {})
  if ('unknown' in read) return undefined
  return {
    stamp: { hash: keysHashOf(read.known), revision: revisionIn(list?.metadata.annotations) },
    keyIds: new Set(read.known.map(({ keyId }) => keyId)),
  }
}

/** How many of a service's pods have the list as it is now, or no keys any more. Who never gets keys does not count. */
export const podsWithList = ({ list, workload }: Consumption): { readonly done: number; readonly all: number } => {
  const pods = workload && stampOfPods(workload)
  const isWithoutKeys = list === undefined && pods === undefined
  if (workload === undefined || (isWithoutKeys && hasRolledOut(workload))) return { done: 0, all: 0 }
  const all = workload.spec?.replicas ?? 0
  const { observedGeneration, updatedReplicas = 0 } = workload.status ?? {}
  const isUnderWay = pods === undefined || isSameStamp(list?.stamp, pods)
  const isObserved = observedGeneration === workload.metadata.generation
  return { done: isUnderWay && isObserved ? Math.min(updatedReplicas, all) : 0, all }
}

/** Whether every pod was made with the list as it is now. */
const hasTakenList = ({ list, workload }: Consumption): boolean =>
  workload !== undefined && isSameStamp(list?.stamp, stampOfPods(workload)) && hasRolledOut(workload)

/** Whether all pods are of the newest template, and ready. */
export const hasRolledOut = ({ metadata, spec, status }: Workload): boolean => {
  if (status === undefined || status.observedGeneration !== metadata.generation) return false
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status
  const isEach = [replicas, readyReplicas, updatedReplicas].every((count) => count === (spec?.replicas ?? 1))
  return isEach && currentRevision === updateRevision
}

/** The stamp that pods are made with; undefined when they get no keys. Pods that lack its mark have some keys, too. */
export const stampOfPods = (workload: Workload): KeyStamp | undefined => {
  const annotations = workload.spec?.template?.metadata?.annotations ?? {}
  const hash = annotations[serviceNames.keysHash] ?? (hasKeysMounted(workload) ? '' : undefined)
  return hash === undefined ? undefined : { hash, revision: revisionIn(annotations) }
}

/** Whether pods are made with the service's key list. */
export const hasKeysMounted = ({ spec }: Workload): boolean =>
  spec?.template?.spec?.volumes?.some(({ name }) => name === keysVolume) === true

/** The marks on a pod template that say which keys its pods load. */
export const stampMarks = ({ hash, revision }: KeyStamp): Annotations => ({
  [serviceNames.keysHash]: hash,
  ...revisionMark(revision),
})

/** Annotations without these marks. */
export const withoutStamp = (annotations: Annotations): Annotations =>
  Object.fromEntries(
    Object.entries(annotations).filter(([name]) => name !== serviceNames.keysHash && name !== keysRevisionAnnotation),
  )

export const revisionMark = (revision: number): Annotations =>
  revision > 0 ? { [keysRevisionAnnotation]: String(revision) } : {}

/** A list that we have never changed has no mark. */
export const revisionIn = (annotations: Annotations | undefined): number => {
  const revision = Number(annotations?.[keysRevisionAnnotation] ?? 0)
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0
}

export const isSameStamp = (one: KeyStamp | undefined, other: KeyStamp | undefined): boolean =>
  one !== undefined && one.hash === other?.hash && one.revision === other.revision
