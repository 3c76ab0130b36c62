import type { ServicePhase, ServiceReason } from '../../api/ledgerservice.ts'
import { foreignMessage, foreignOf } from './held.ts'
import type { Keys } from './keys.ts'
import type { Observed } from './observed.ts'
import type { Rollout } from './rollout.ts'
import type { Stage } from './stage.ts'

export interface Verdict {
  readonly phase: ServicePhase
  readonly reason: ServiceReason
  readonly message: string
}

const error = (reason: ServiceReason, message: string): Verdict => ({ phase: 'Error', reason, message })

/** Whether the service is ready, and why not: the worst first. */
export const verdictOf = (observed: Observed, stage: Stage, keys: Keys, rollout: Rollout): Verdict => {
  const phase = phaseOf(rollout)
  if (stage.is === 'held') {
    const [{ reason }] = stage.obstacles
    const message = stage.obstacles.map((obstacle) => obstacle.message).join('; ')
    return reason === 'Deleting' ? { phase, reason, message } : error(reason, message)
  }
  const foreign = foreignOf(observed)
  if (foreign.length > 0) return error('ForeignObject', foreignMessage(foreign))
  const { clusterSecret, complete } = observed
  if (clusterSecret !== undefined && 'unknown' in clusterSecret) return error('SecretUnreadable', clusterSecret.unknown)
  if (rollout.wanted > complete.spec.replicas)
    return {
      phase,
      reason: 'ScaleDownUnsupported',
      message: `spec.replicas is ${complete.spec.replicas}, and ${rollout.wanted} replicas stay: members of a Raft cluster must be removed one by one first`,
    }
  if (rollout.isDone) return { phase, reason: 'AllReplicasReady', message: rollout.message }
  const waiting = keys.isShort ? `${rollout.message}; no replica is made before its keys are known` : rollout.message
  return { phase, reason: 'ReplicasNotReady', message: waiting }
}

const phaseOf = ({ ready, wanted, isDone }: Rollout): ServicePhase => {
  if (isDone) return 'Running'
  if (ready === 0) return 'Pending'
  return ready < wanted ? 'Degraded' : 'Running'
}
