import { hasRolledOut } from '../../pure/key-rollout.ts'
import { isTerminating } from '../../pure/object.ts'
import { type Observed, ownWorkloadOf, type SeenPod } from './observed.ts'
import { replicasOf } from './wanted.ts'

/** How far the replicas have come. */
export interface Rollout {
  readonly ready: number
  readonly wanted: number
  /** Whether every replica is ready, and made from the newest template. */
  readonly isDone: boolean
  /** How many of how many are ready, and what holds up the others. */
  readonly message: string
}

export const rolloutOf = (observed: Observed): Rollout => {
  const workload = ownWorkloadOf(observed)
  const wanted = replicasOf(observed)
  const ready = workload?.status?.readyReplicas ?? 0
  const isDone = workload !== undefined && ready >= wanted && hasRolledOut(workload)
  const count = `${ready}/${wanted} replicas ready`
  if (isDone) return { ready, wanted, isDone, message: count }
  const updated = workload?.status?.updatedReplicas ?? 0
  const isUpdating = workload !== undefined && ready >= wanted
  const pods = observed.pods.filter((pod) => !isTerminating(pod)).toSorted(byName)
  const stuck = [...pods.flatMap(troubleOf), ...pods.flatMap(unreadinessOf)]
  const message = [
    isUpdating ? `${count}, ${Math.min(updated, wanted)} of them at the newest template` : count,
    ...stuck.slice(0, 1),
  ]
  return { ready, wanted, isDone, message: message.join('; ') }
}

const byName = (one: SeenPod, other: SeenPod): number => (one.metadata.name < other.metadata.name ? -1 : 1)

const said = (reason: string | undefined, message: string | undefined): string =>
  [reason, message].filter(Boolean).join(': ')

/** A pod that is not ready and of which nothing worse is known: it may be on its way, or wait for ever. */
const unreadinessOf = ({ metadata, status }: SeenPod): readonly string[] => {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'False' ? [`pod ${metadata.name} is not ready: ${said(ready.reason, ready.message)}`] : []
}

// A pod is in these on its way to its start.
const passing = new Set(['ContainerCreating', 'PodInitializing'])

/** Why a pod does not become ready, as far as somebody has found that out. */
const troubleOf = (pod: SeenPod): readonly string[] => {
  const { conditions = [], containerStatuses = [] } = pod.status ?? {}
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (unscheduled !== undefined)
    return [`pod ${pod.metadata.name} has no node: ${said(unscheduled.reason, unscheduled.message)}`]
  return containerStatuses.flatMap(({ name, state, lastState }) => {
    const { waiting, terminated = lastState?.terminated } = state ?? {}
    const isStuck = waiting?.reason !== undefined && !passing.has(waiting.reason)
    if (!isStuck && state?.terminated === undefined) return []
    // The kubelet counts its pauses in the message of a crash: it would never be the same.
    const isCrash = waiting === undefined || waiting.reason === 'CrashLoopBackOff'
    const how = isCrash
      ? said(
          waiting?.reason,
          terminated && `${terminated.reason ?? 'ended'} with exit code ${terminated.exitCode ?? 0}`,
        )
      : said(waiting.reason, waiting.message)
    return [`pod ${pod.metadata.name}, container ${name}: ${how}`]
  })
}
