import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { seconds } from '../../pure/duration.ts'
import type { Effect, Marks } from '../../pure/effects.ts'
import { Secret } from '../../pure/kind.ts'
import { agentNames, claimAnnotation, deleteAnnotation, keyIdAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, preconditionOf } from '../../pure/object.ts'
import type { Plan, Step } from '../../pure/plan.ts'
import { type Observed, type SeenSecret, statusTakenOver, targetNamespacesOf } from './observed.ts'
import { renderCanonical, renderCanonicalMarks, renderRestored } from './render/canonical.ts'
import { isOurs, type Sound, stageOf } from './stage.ts'
import { statusOf } from './status.ts'
import { targetStageOf } from './target-stage.ts'

// What could not be read is asked for again soon: nobody tells us when it can be.
const whenInDoubt = { after: seconds(10) } as const

/** What to do about an agent. Every stage has its answer here. */
export const decide = (observed: Observed): Plan => {
  const stage = stageOf(observed)
  const answer = (steps: readonly Step[], lookAgain: Plan['lookAgain'] = 'on-change'): Plan => ({
    steps,
    status: statusOf(observed, stage, []),
    lookAgain,
  })
  switch (stage.is) {
    case 'claimed-elsewhere':
      return {
        steps: [],
        remark: `left alone: claimed by the operator in namespace ${stage.by}`,
        lookAgain: 'on-change',
      }
    case 'unmarked':
      // A deleted object takes no new finalizer, and we owe nothing to one that never had it.
      return isTerminating(observed.object) && !hasFinalizer(observed)
        ? { steps: [], lookAgain: 'on-change' }
        : answer([[claim(observed)]])
    case 'in-doubt':
      return answer([], whenInDoubt)
    case 'withdrawing':
      return answer(withdraw(observed, stage.replicas, stage.canonical))
    case 'withdrawn':
      return answer([[release(observed)]])
    case 'unneeded':
    case 'invalid':
      return answer([])
    case 'unminted':
      return answer([[{ do: 'mint', object: renderCanonical(observed), recipe: 'agent-key' }]])
    case 'lost': {
      if (stage.source === undefined) return answer([])
      return answer([[{ do: 'create', kind: Secret, object: renderRestored(observed, stage.source) }]])
    }
    case 'established':
      return distribute(observed, { secret: stage.canonical, key: stage.key })
    default:
      return stage satisfies never
  }
}

/** Copies, then the canonical, then our hold on the agent; what somebody else's finalizer keeps is waited for. */
const withdraw = (
  observed: Observed,
  replicas: readonly SeenSecret[],
  canonical: SeenSecret | undefined,
): readonly Step[] => {
  const isHeld = (secret: SeenSecret) => isTerminating(secret) || (secret.metadata.finalizers ?? []).length > 0
  const copies = replicas.flatMap(remove)
  if (replicas.some(isHeld)) return [copies]
  const identity = canonical === undefined ? [] : [canonical]
  return [copies, identity.flatMap(condemn), identity.flatMap(remove), identity.some(isHeld) ? [] : [release(observed)]]
}

/** A key holder may be deleted only when its own mark says that this very key is meant (docs/install.md). */
const condemn = (secret: SeenSecret): readonly Effect[] => {
  const { annotations = {} } = secret.metadata
  const keyId = annotations[keyIdAnnotation]
  if (keyId === undefined || annotations[deleteAnnotation] === keyId || isTerminating(secret)) return []
  const set = { annotations: { [deleteAnnotation]: keyId } }
  return [{ do: 'mark', kind: Secret, key: keyOf(secret), on: preconditionOf(secret), set }]
}

const distribute = (observed: Observed, canonical: Sound): Plan => {
  const targets = targetNamespacesOf(observed.object)
  const stages = targets.map((namespace) => targetStageOf(observed, namespace, canonical))
  const due = stages.flatMap((stage) => (stage.is === 'due' ? stage.effects : []))
  const surplus = [...observed.replicas].filter(
    ([namespace, replica]) => !targets.includes(namespace) && isOurs(replica, observed.object.metadata.name),
  )
  return {
    steps: [[...markCanonical(observed, canonical), ...due, ...surplus.flatMap(([, replica]) => remove(replica))]],
    status: statusOf(observed, { is: 'established', canonical: canonical.secret, key: canonical.key }, stages),
    lookAgain: stages.some(({ is }) => is === 'unreadable') ? whenInDoubt : 'on-change',
  }
}

const finalizersOf = ({ object }: Observed): readonly string[] => object.metadata.finalizers ?? []

const hasFinalizer = (observed: Observed): boolean => finalizersOf(observed).includes(agentNames.finalizer)

/** What the former operator said in the status becomes ours to change. */
const claim = (observed: Observed): Effect => {
  const managedFields = statusTakenOver(observed)
  return markAgent(observed, {
    annotations: { [claimAnnotation]: observed.operatorNamespace },
    finalizers: [...new Set([...finalizersOf(observed), agentNames.finalizer])],
    ...(managedFields && { managedFields }),
  })
}

const release = (observed: Observed): Effect =>
  markAgent(observed, { finalizers: finalizersOf(observed).filter((finalizer) => finalizer !== agentNames.finalizer) })

const markAgent = ({ object }: Observed, set: Marks): Effect => ({
  do: 'mark',
  kind: LedgerClusterAgent,
  key: keyOf(object),
  on: preconditionOf(object),
  set,
})

/** Nothing when its deletion has been asked for already: somebody else's finalizer holds it. */
const remove = (secret: SeenSecret): readonly Effect[] =>
  isTerminating(secret) ? [] : [{ do: 'delete', kind: Secret, key: keyOf(secret), uid: secret.metadata.uid }]

const markCanonical = (observed: Observed, { secret, key }: Sound): readonly Effect[] => {
  const set = renderCanonicalMarks(observed, key.keyId)
  const { labels, annotations } = secret.metadata
  const isMarked =
    Object.entries(set.labels).every(([name, value]) => labels?.[name] === value) &&
    Object.entries(set.annotations).every(([name, value]) => annotations?.[name] === value)
  return isMarked ? [] : [{ do: 'mark', kind: Secret, key: keyOf(secret), on: preconditionOf(secret), set }]
}
