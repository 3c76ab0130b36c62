import type { Container, ContainerState, ContainerStatus, PlayedPod, PodCondition, PodStatus } from './kubelet-pod.ts'

/**
 * `run`: running and ready. `hold`: left as it is, so a new pod stays Pending. `complete`: ends well.
 * `crash`: restarts in vain, or ends badly where its restart policy lets it end.
 */
export type Fate = 'run' | 'hold' | 'crash' | 'complete'

/** Pods of a Job complete, all others run. */
export const usualFate = ({ metadata }: PlayedPod): Fate =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller) ? 'complete' : 'run'

/** The status that the pod should have instead of its own; undefined when that may stay. */
export const nextStatus = (pod: PlayedPod, fate: Fate, now: string): PodStatus | undefined => {
  if (fate === 'hold' || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return undefined
  const outcome = outcomeOf(pod, fate)
  const next: PodStatus = {
    phase: aspects[outcome].phase,
    startTime: pod.status?.startTime ?? now,
    hostIP: '127.0.0.1',
    podIP: podIpOf(pod),
    conditions: conditionsOf(pod, outcome, now),
    containerStatuses: pod.spec.containers.map((container) => {
      const before = pod.status?.containerStatuses?.find(({ name }) => name === container.name)
      return containerStatusOf(container, before, outcome, now)
    }),
  }
  return isIncluded(next, pod.status) ? undefined : next
}

type Outcome = 'running' | 'restarting' | 'succeeded' | 'failed'

const aspects: Readonly<
  Record<Outcome, { readonly phase: PodStatus['phase']; readonly ready: Pick<PodCondition, 'status' | 'reason'> }>
> = {
  running: { phase: 'Running', ready: { status: 'True' } },
  restarting: { phase: 'Running', ready: { status: 'False', reason: 'ContainersNotReady' } },
  succeeded: { phase: 'Succeeded', ready: { status: 'False', reason: 'PodCompleted' } },
  failed: { phase: 'Failed', ready: { status: 'False', reason: 'PodFailed' } },
}

// With OnFailure a real kubelet would restart it some times first; how it ends is all that a Job waits for.
const outcomeOf = ({ spec }: PlayedPod, fate: Exclude<Fate, 'hold'>): Outcome => {
  if (fate === 'run') return 'running'
  if (fate === 'complete') return 'succeeded'
  return spec.restartPolicy === 'Always' ? 'restarting' : 'failed'
}

/** Taken from the UID: the same for the same pod whoever asks, and hardly ever that of another. */
const podIpOf = ({ metadata }: PlayedPod): string => {
  const byteAt = (start: number) => Number.parseInt(metadata.uid.slice(start, start + 2), 16)
  return `10.244.${byteAt(0)}.${byteAt(2)}`
}

/** Ours, behind those that others keep on the pod: the patch replaces the whole list. */
const conditionsOf = ({ status }: PlayedPod, outcome: Outcome, now: string): readonly PodCondition[] => {
  const { ready } = aspects[outcome]
  const ours: readonly PodCondition[] = [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Initialized', status: 'True' },
    { type: 'ContainersReady', ...ready },
    { type: 'Ready', ...ready },
  ]
  const present = status?.conditions ?? []
  const foreign = present.filter(({ type }) => !ours.some((condition) => condition.type === type))
  const dated = ours.map((condition) => {
    const before = present.find(({ type }) => type === condition.type)
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : undefined
    return { ...condition, lastTransitionTime: lastTransitionTime ?? now }
  })
  return [...foreign, ...dated]
}

const containerStatusOf = (
  { name, image }: Container,
  before: ContainerStatus | undefined,
  outcome: Outcome,
  now: string,
): ContainerStatus => {
  const startedAt = before?.state.running?.startedAt ?? now
  const { restartCount = 0, lastState } = before ?? {}
  const kept = { name, image, restartCount, lastState }
  switch (outcome) {
    case 'running':
      return { ...kept, ready: true, started: true, state: { running: { startedAt } } }
    case 'restarting':
      if (before?.state.waiting?.reason === backingOff.reason) return before
      return {
        ...kept,
        ready: false,
        started: false,
        restartCount: restartCount + 1,
        state: { waiting: backingOff },
        lastState: ended(1, startedAt, now),
      }
    case 'succeeded':
      return { ...kept, ready: false, started: false, state: ended(0, startedAt, now) }
    case 'failed':
      return { ...kept, ready: false, started: false, state: ended(1, startedAt, now) }
    default:
      return outcome satisfies never
  }
}

const backingOff = { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } as const

const ended = (exitCode: number, startedAt: string, finishedAt: string): ContainerState => ({
  terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt },
})

/** Whether all that is wished for is there; the server adds fields of its own. */
const isIncluded = (wish: unknown, live: unknown): boolean => {
  if (wish === undefined || wish === live) return true
  if (typeof wish !== 'object' || typeof live !== 'object' || wish === null || live === null) return false
  if (Array.isArray(wish) && (!Array.isArray(live) || live.length !== wish.length)) return false
  const there: ReadonlyMap<string, unknown> = new Map(Object.entries(live))
  return Object.entries(wish).every(([field, value]) => isIncluded(value, there.get(field)))
}
