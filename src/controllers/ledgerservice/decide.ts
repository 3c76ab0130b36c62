import { LedgerService } from '../../api/ledgerservice.ts'
import { type Duration, milliseconds, seconds } from '../../pure/duration.ts'
import { type Effect, kindOf } from '../../pure/effects.ts'
import { StatefulSet } from '../../pure/kind.ts'
import { claimAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, preconditionOf } from '../../pure/object.ts'
import { leftAlone, type Plan, type Step } from '../../pure/plan.ts'
import { obstaclesOf } from './held.ts'
import { keepAll, keepKeysAlone } from './keep-children.ts'
import { type Keys, keysOf } from './keys.ts'
import { type Observed, statusTakenOver } from './observed.ts'
import { restartNotices, stampBeforeClaim } from './restart-notice.ts'
import { stageOf } from './stage.ts'
import { statusOf } from './status.ts'

// What could not be read is asked for again soon: nobody tells us when it can be.
const whenInDoubt = seconds(10)

/** What to do about a service. Every stage has its answer here. */
export const decide = (observed: Observed): Plan => {
  const stage = stageOf(observed)
  const answer = (steps: readonly Step[], keys: Keys): Plan => ({
    stage: stage.is,
    steps,
    status: statusOf(observed, stage, keys),
    lookAgain: lookAgainOf(observed),
  })
  switch (stage.is) {
    case 'claimed-elsewhere':
      return leftAlone(stage.is, stage.by)
    case 'unmarked':
      // Nothing is begun for what is going.
      return {
        stage: stage.is,
        steps: isTerminating(observed.object) ? [] : [[claim(observed)]],
        ...noticesBeforeClaim(observed),
        lookAgain: 'on-change',
      }
    case 'held': {
      const keys = keysOf(observed)
      return answer(keepKeysAlone(observed, keys), keys)
    }
    case 'kept': {
      const keys = keysOf(observed)
      const steps = keepAll(observed, keys)
      const isWritten = steps.flat().some((effect) => kindOf(effect) === StatefulSet)
      return { ...answer(steps, keys), ...(isWritten && noticesOf(restartNotices(observed, keys.stamp))) }
    }
    default:
      return stage satisfies never
  }
}

const noticesOf = (notices: readonly string[]): Pick<Plan, 'notices'> => (notices.length === 0 ? {} : { notices })

/** Whoever changes over wants to know before the first write whether pods restart. */
const noticesBeforeClaim = (observed: Observed): Pick<Plan, 'notices'> =>
  obstaclesOf(observed).length > 0 ? {} : noticesOf(restartNotices(observed, stampBeforeClaim(observed)))

/** What the former operator said in the status becomes ours to change. */
const claim = (observed: Observed): Effect => {
  const { object, operatorNamespace } = observed
  const managedFields = statusTakenOver(observed)
  return {
    do: 'mark',
    kind: LedgerService,
    key: keyOf(object),
    on: preconditionOf(object),
    set: { annotations: { [claimAnnotation]: operatorNamespace }, ...(managedFields && { managedFields }) },
  }
}

const lookAgainOf = ({ doubt, clusterSecret, agents, settlesAt, now }: Observed): Plan['lookAgain'] => {
  const isUnread = agents.some(({ secrets }) => secrets.some(({ key }) => 'unknown' in key))
  const isInDoubt = doubt !== undefined || isUnread || (clusterSecret !== undefined && 'unknown' in clusterSecret)
  const pauses: readonly Duration[] = [
    ...(isInDoubt ? [whenInDoubt] : []),
    ...(settlesAt === undefined ? [] : [milliseconds(settlesAt - now)]),
  ]
  return pauses.length === 0 ? 'on-change' : { after: milliseconds(Math.min(...pauses)) }
}
