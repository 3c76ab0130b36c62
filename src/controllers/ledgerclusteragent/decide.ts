import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { seconds } from '../../pure/duration.ts'
import type { Effect, Marks } from '../../pure/effects.ts'
import { Secret } from '../../pure/kind.ts'
import { agentNames, claimAnnotation, takeoverAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, preconditionOf } from '../../pure/object.ts'
import type { Plan, Step } from '../../pure/plan.ts'
import { isBeingTakenOver, type Observed, type SeenSecret, statusTakenOver, targetNamespacesOf } from './observed.ts'
import type { Sound } from './ownership.ts'
import { renderCanonical, renderCanonicalMarks, renderRestored } from './render/canonical.ts'
import { stageOf } from './stage.ts'
import { statusOf } from './status.ts'
import { surplusOf } from './surplus.ts'
import { targetStageOf } from './target-stage.ts'
import { remove, withdraw } from './withdraw.ts'

// What could not be read is asked for again soon: nobody tells us when it can be.
const whenInDoubt = { after: seconds(10) } as const

/** What to do about an agent. Every stage has its answer here. */
export const decide = (observed: Observed): Plan => {
  const stage = stageOf(observed)
  const answer = (steps: readonly Step[], lookAgain: Plan['lookAgain'] = 'on-change'): Plan => ({
    stage: stage.is,
    steps,
    status: statusOf(observed, stage),
    lookAgain,
  })
  switch (stage.is) {
    case 'claimed-elsewhere':
      return {
        stage: stage.is,
        steps: [],
        remark: `left alone: claimed by the operator in namespace ${stage.by}`,
        lookAgain: 'on-change',
      }
    case 'unmarked':
      // A deleted object takes no new finalizer, and we owe nothing to one that never had it.
      return isTerminating(observed.object) && !hasFinalizer(observed)
        ? { stage: stage.is, steps: [], lookAgain: 'on-change' }
        : answer([[claim(observed)]])
    case 'in-doubt':
      return answer([], whenInDoubt)
    case 'withdrawing':
      return answer(withdraw(stage, release(observed)))
    case 'withdrawn':
      return answer([[release(observed)]])
    case 'unneeded':
      return answer([endTakeover(observed)])
    case 'unminted':
      return answer([endTakeover(observed), [mint(observed)]])
    case 'restorable':
      return answer([[recreate(observed, stage.source, 'Restored')]])
    case 'adoptable':
      return answer([[recreate(observed, stage.source, 'Adopted')]])
    case 'still-held':
    case 'ambiguous':
    case 'awaiting-consent':
    case 'unadoptable':
    case 'lost':
    case 'invalid':
      return answer([])
    case 'established':
      return distribute(observed, { secret: stage.canonical, key: stage.key })
    default:
      return stage satisfies never
  }
}

const mint = (observed: Observed): Effect => ({
  do: 'mint',
  object: renderCanonical(observed),
  recipe: 'agent-key',
  event: 'Minted',
})

const recreate = (observed: Observed, source: Sound, event: string): Effect => ({
  do: 'create',
  kind: Secret,
  object: renderRestored(observed, source),
  event,
})

const distribute = (observed: Observed, canonical: Sound): Plan => {
  const targets = targetNamespacesOf(observed).map((namespace) => targetStageOf(observed, namespace, canonical))
  const due = targets.flatMap((target) => (target.is === 'due' ? target.effects : []))
  const served = targets.filter(({ is }) => is === 'served').map(({ namespace }) => namespace)
  const surplus = surplusOf(observed, canonical, served)
  const collected = surplus.collectable.flatMap(collect)
  const isInDoubt = targets.some(({ is }) => is === 'unreadable') || surplus.unreadable.length > 0
  return {
    stage: 'established',
    steps: [[...markCanonical(observed, canonical), ...endTakeover(observed), ...due, ...collected]],
    status: statusOf(
      observed,
      { is: 'established', canonical: canonical.secret, key: canonical.key },
      targets,
      surplus,
    ),
    lookAgain: isInDoubt ? whenInDoubt : 'on-change',
  }
}

/** Only as it was seen: with another key in it, it is evidence. */
const collect = (secret: SeenSecret): readonly Effect[] =>
  remove(secret).map((effect) => ({ ...effect, ...preconditionOf(secret), event: 'Collected' }))

const finalizersOf = ({ object }: Observed): readonly string[] => object.metadata.finalizers ?? []

const hasFinalizer = (observed: Observed): boolean => finalizersOf(observed).includes(agentNames.finalizer)

/** What the former operator said in the status becomes ours to change. */
const claim = (observed: Observed): Effect => {
  const managedFields = statusTakenOver(observed)
  const isNotOurs = observed.object.metadata.annotations?.[claimAnnotation] === undefined
  const isFromBefore = hasFinalizer(observed) && isNotOurs && !isTerminating(observed.object)
  return markAgent(observed, {
    annotations: {
      [claimAnnotation]: observed.operatorNamespace,
      ...(isFromBefore && { [takeoverAnnotation]: 'ledger-operator' }),
    },
    finalizers: [...new Set([...finalizersOf(observed), agentNames.finalizer])],
    ...(managedFields && { managedFields }),
  })
}

/** From now on copies need somebody's word: what the former operator knew has been looked through. */
const endTakeover = (observed: Observed): readonly Effect[] =>
  isBeingTakenOver(observed) ? [markAgent(observed, { annotations: { [takeoverAnnotation]: null } })] : []

const release = (observed: Observed): Effect =>
  markAgent(observed, { finalizers: finalizersOf(observed).filter((finalizer) => finalizer !== agentNames.finalizer) })

const markAgent = ({ object }: Observed, set: Marks): Effect => ({
  do: 'mark',
  kind: LedgerClusterAgent,
  key: keyOf(object),
  on: preconditionOf(object),
  set,
})

const markCanonical = (observed: Observed, { secret, key }: Sound): readonly Effect[] => {
  const set = renderCanonicalMarks(observed, key.keyId)
  const { labels, annotations } = secret.metadata
  const isMarked =
    Object.entries(set.labels).every(([name, value]) => labels?.[name] === value) &&
    Object.entries(set.annotations).every(([name, value]) => annotations?.[name] === value)
  return isMarked ? [] : [{ do: 'mark', kind: Secret, key: keyOf(secret), on: preconditionOf(secret), set }]
}
