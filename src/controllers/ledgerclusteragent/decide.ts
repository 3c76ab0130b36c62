import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { milliseconds, seconds } from '../../pure/duration.ts'
import { type Effect, independently, type Marks } from '../../pure/effects.ts'
import type { Course } from '../../pure/generations.ts'
import { inOrder, lineageOf } from '../../pure/generation.ts'
import { Secret } from '../../pure/kind.ts'
import { agentNames, claimAnnotation, takeoverAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, preconditionOf, printKey } from '../../pure/object.ts'
import { leftAlone, type Plan, type Step } from '../../pure/plan.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { newestAmong, rememberedAmong } from '../../pure/revoked-keys.ts'
import { listed } from '../../pure/wording.ts'
import {
  concernedListingsOf,
  isBeingTakenOver,
  type Observed,
  type SeenSecret,
  statusTakenOver,
  targetNamespacesOf,
} from './observed.ts'
import { carryOut, takeBack } from './moves.ts'
import type { Sound } from './ownership.ts'
import { type GenerationWish, renderGeneration, renderMarks, renderRestored } from './render/generation.ts'
import { rotationRequestOf, type SoundGeneration } from './situation.ts'
import { type Stage, stageOf } from './stage.ts'
import { statusOf } from './status.ts'
import { surplusOf } from './surplus.ts'
import { targetStageOf } from './target-stage.ts'
import { remove, withdraw } from './withdraw.ts'
import { getOwn } from '../../pure/own.ts'

// What could not be read is asked for again soon: nobody tells us when it can be.
const whenInDoubt = { after: seconds(10) } as const

/** What to do about an agent. Every stage has its answer here. */
export const decide = (observed: Observed): Plan => {
  const stage = stageOf(observed)
  const answer = (steps: readonly Step[], lookAgain: Plan['lookAgain'] = 'on-change'): Plan => ({
    stage: stage.is,
    steps,
    urgent: takeBack(observed),
    status: statusOf(observed, stage),
    lookAgain,
  })
  switch (stage.is) {
    case 'claimed-elsewhere':
      return leftAlone(stage.is, stage.by)
    case 'unmarked':
      // A deleted object takes no new finalizer, and we owe nothing to one that never had it.
      return isTerminating(observed.object) && !hasFinalizer(observed)
        ? { stage: stage.is, steps: [], lookAgain: 'on-change' }
        : answer([[claim(observed)]])
    case 'in-doubt':
      return answer([takeBack(observed)], whenInDoubt)
    case 'withdrawing':
      return answer(withdraw(stage, [...tellOfServicesLeft(observed), release(observed)]))
    case 'withdrawn':
      return answer([[...tellOfServicesLeft(observed), release(observed)]])
    case 'unneeded':
      return answer([endTakeover(observed)])
    case 'unminted':
      return answer([endTakeover(observed), [mint(observed)]])
    case 'restorable':
      return answer([[...takeBack(observed), restore(observed, stage)]])
    case 'adoptable':
      return answer([[adopt(observed, stage)]])
    case 'renewing': {
      const { marks, later } = carryOut(observed, stage.keys)
      return answer([marks, ...later])
    }
    case 'keys-left':
    case 'still-held':
    case 'ambiguous':
    case 'awaiting-consent':
    case 'unadoptable':
      return answer([])
    case 'lost':
    case 'invalid':
      return answer([takeBack(observed)])
    case 'established':
      return distribute(observed, stage)
    default:
      return stage satisfies never
  }
}

const firstKey: GenerationWish = {
  number: 1,
  lineage: [],
  request: undefined,
  isCurrent: false,
  revokedKeys: [],
  held: [],
}

/** What was asked for before there was a key is served by the first; what was taken back by then never was one. */
const mint = (observed: Observed): Effect => ({
  do: 'mint',
  object: renderGeneration(observed, {
    ...firstKey,
    lineage: revocationsOf(observed.object).map((keyId) => ({ keyId })),
    request: rotationRequestOf(observed),
    isCurrent: revocationsOf(observed.object).length > 0,
  }),
  recipe: 'agent-key',
  event: 'Minted',
})

/** Nobody knows any more which request it served: a request from before is never a reason to rotate. */
const restore = (observed: Observed, { source, number, held }: Stage & { is: 'restorable' }): Effect => {
  const others = inOrder(held.map(({ generation }) => generation))
  const lineage = lineageOf(others)
  const isCurrent = lineage.length > 0
  const revokedKeys = newestAmong(rememberedAmong(others))
  const wish = { number, lineage, request: rotationRequestOf(observed), isCurrent, revokedKeys, held }
  return recreate(observed, wish, source, 'Restored')
}

/** What the agent was asked before it had this key is as good as done. */
const adopt = (observed: Observed, { source }: Stage & { is: 'adoptable' }): Effect =>
  recreate(observed, { ...firstKey, request: rotationRequestOf(observed) }, source, 'Adopted')

const recreate = (observed: Observed, wish: GenerationWish, source: Sound, event: string): Effect => ({
  do: 'create',
  kind: Secret,
  object: renderRestored(observed, wish, source),
  event,
})

const distribute = (observed: Observed, stage: Stage & { is: 'established' }): Plan => {
  const { current, keys } = stage
  const targets = targetNamespacesOf(observed).map((namespace) =>
    targetStageOf(observed, namespace, current, keys.held),
  )
  const due = targets.flatMap((target) => (target.is === 'due' ? target.effects : []))
  const served = targets.filter(({ is }) => is === 'served').map(({ namespace }) => namespace)
  const surplus = surplusOf(observed, keys.held, served)
  const collected = surplus.collectable.flatMap(collect)
  // One mark at a time: a second on the same Secret would come too late.
  const unmarked = keys.held.flatMap((one) => markAll(observed, one))
  const { marks, later } = unmarked.length > 0 ? { marks: unmarked, later: [] } : carryOut(observed, keys)
  const isInDoubt = targets.some(({ is }) => is === 'unreadable') || surplus.unreadable.length > 0
  return {
    stage: 'established',
    // What fails in one namespace holds up neither a rotation nor the end of a former key.
    steps: [[...marks, ...endTakeover(observed), ...independently([...due, ...collected])], ...later],
    urgent: takeBack(observed),
    status: statusOf(observed, stage, targets, surplus),
    lookAgain: isInDoubt ? whenInDoubt : whenDue(observed, keys.course),
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

/** Services that this operator leaves alone keep the agent's key in their lists: somebody should know. */
const tellOfServicesLeft = (observed: Observed): readonly Effect[] => {
  const left = concernedListingsOf(observed).filter(({ isOutOfReach }) => isOutOfReach)
  if (left.length === 0) return []
  const { object } = observed
  const services = listed([...new Set(left.map(({ service }) => printKey(service)))])
  const note = `the agent is deleted, and these services still accept its key, because they are paused or claimed by another operator: ${services}`
  const about = { kind: LedgerClusterAgent, key: keyOf(object), uid: object.metadata.uid }
  return [{ do: 'event', ...about, type: 'Warning', reason: 'KeyStillListed', note }]
}

const markAgent = ({ object }: Observed, set: Marks): Effect => ({
  do: 'mark',
  kind: LedgerClusterAgent,
  key: keyOf(object),
  on: preconditionOf(object),
  set,
})

/** Time may ask for a step; whether it is taken is for the next look to say. */
const whenDue = ({ now }: Observed, { nextAt }: Course): Plan['lookAgain'] =>
  nextAt === undefined ? 'on-change' : { after: milliseconds(Math.max(nextAt - now, 0) + 1000) }

const markAll = (observed: Observed, { secret, key, generation }: SoundGeneration): readonly Effect[] => {
  const set = renderMarks(observed, generation.number, key.keyId)
  const { labels, annotations } = secret.metadata
  const isMarked =
    Object.entries(set.labels).every(([name, value]) => getOwn(labels, name) === value) &&
    Object.entries(set.annotations).every(([name, value]) => getOwn(annotations, name) === value)
  return isMarked ? [] : [{ do: 'mark', kind: Secret, key: keyOf(secret), on: preconditionOf(secret), set }]
}
