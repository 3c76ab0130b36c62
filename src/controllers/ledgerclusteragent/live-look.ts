import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { Reads } from '../../kube/reads.ts'
import { ConfigMap, Secret, StatefulSet } from '../../pure/kind.ts'
import { agentNames, serviceNames } from '../../pure/names.ts'
import {
  formerNamespacesOf,
  generationNamesOf,
  isBeingTakenOver,
  type Observed,
  targetNamespacesOf,
} from './observed.ts'
import { ownRelicsOf } from './ownership.ts'
import { type Stage, stageOf } from './stage.ts'
import { surplusOf } from './surplus.ts'
import { targetStageOf } from './target-stage.ts'

interface Reasons {
  /** Whether a key would be made or deleted on the strength of what was seen: then the cache is not enough. */
  readonly isAtStake: boolean
  /** Where a copy would be taken away, or was. */
  readonly places: readonly string[]
  /** Whether it depends on what services list and have loaded. */
  readonly asksServices: boolean
}

/** What waits for people, or for others, changes nothing, and needs no more than the cache. */
export const reasonsToLookLive = (seen: Observed): Reasons => {
  const stage = stageOf(seen)
  switch (stage.is) {
    case 'unminted':
    case 'restorable':
    case 'adoptable':
    // A canonical Secret that lost its label is not in view, and not lost.
    case 'lost':
    case 'renewing':
      return { isAtStake: true, places: [], asksServices: false }
    case 'withdrawing':
    case 'withdrawn':
      return { isAtStake: true, places: [], asksServices: true }
    case 'unneeded':
      return { isAtStake: isBeingTakenOver(seen), places: [], asksServices: false }
    case 'established': {
      const places = placesToWithdrawFrom(seen, stage)
      const { moves } = stage.keys.course
      const asksServices = moves.some(({ is }) => is === 'promote' || is === 'end' || is === 'delete')
      return { isAtStake: places.length > 0 || moves.length > 0, places, asksServices }
    }
    case 'claimed-elsewhere':
    case 'unmarked':
    case 'keys-left':
    case 'in-doubt':
    case 'still-held':
    case 'ambiguous':
    case 'awaiting-consent':
    case 'unadoptable':
    case 'invalid':
      return { isAtStake: false, places: [], asksServices: false }
    default:
      return stage satisfies never
  }
}

const placesToWithdrawFrom = (seen: Observed, { current, keys }: Stage & { is: 'established' }): readonly string[] => {
  const targets = targetNamespacesOf(seen)
  const isServed = (namespace: string) => targetStageOf(seen, namespace, current, keys.held).is === 'served'
  // Who has no early copy need not ask.
  const served = ownRelicsOf(seen).length === 0 ? [] : targets.filter(isServed)
  const { collectable, unreadable } = surplusOf(seen, keys.held, served)
  const held = [...collectable, ...unreadable].map(({ metadata }) => metadata.namespace ?? '')
  // A copy that lost its label is not in view.
  const former = formerNamespacesOf(seen.object).filter(
    (namespace) => !targets.includes(namespace) && seen.namespaces.get(namespace) !== 'out-of-scope',
  )
  const replaced = targets.filter((namespace) => {
    const target = targetStageOf(seen, namespace, current, keys.held)
    return target.is === 'due' && target.effects.some((effect) => effect.do === 'delete')
  })
  return [...new Set([...held, ...former, ...replaced])]
}

export const lookLive = async (
  { object, operatorNamespace: namespace }: Observed,
  reasons: Reasons,
  reads: Reads,
): Promise<void> => {
  const { name } = object.metadata
  await Promise.all([
    reads.refresh(LedgerClusterAgent, { name }),
    ...generationNamesOf(object).map((generation) => reads.refresh(Secret, { namespace, name: generation })),
    // By name, so that a Secret that lost its label is found too; by label for the names of old.
    reads.refreshChosen(Secret, { name: agentNames.replica(name) }),
    reads.refreshChosen(Secret, { label: agentNames.label, value: name }),
    // A service that the cache has lost would cost its namespace the key.
    ...reasons.places.map((place) => reads.refreshChosen(LedgerService, { namespace: place })),
    ...(reasons.asksServices
      ? [
          reads.refreshChosen(LedgerService, {}),
          reads.refreshChosen(ConfigMap, serviceNames.managedBy),
          reads.refreshChosen(StatefulSet, serviceNames.managedBy),
        ]
      : []),
  ])
}
