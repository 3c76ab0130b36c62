import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { LiveRead } from '../../kube/live-reads.ts'
import { ConfigMap, Secret, StatefulSet } from '../../pure/kind.ts'
import { agentNames, serviceNames } from '../../pure/names.ts'
import {
  formerNamespacesOf,
  generationNamesOf,
  isBeingTakenOver,
  mayAdoptUnasked,
  type Observed,
  targetNamespacesOf,
} from './observed.ts'
import { ownRelicsOf } from './ownership.ts'
import { type Stage, stageOf } from './stage.ts'
import { surplusOf } from './surplus.ts'
import { targetStageOf } from './target-stage.ts'

/**
 * What must be read live before a key is generated or deleted: then the cache is not enough. What waits for people, or for
 * other controllers, changes nothing and needs no more than the cache.
 */
export const liveReadsOf = (seen: Observed): readonly LiveRead[] => {
  const stage = stageOf(seen)
  switch (stage.is) {
    case 'unminted':
      // Elsewhere a replica is no evidence, unless every labelled one is. A first key needs no read: to create its Secret
      // fails if there is one, and that one is then read.
      return [
        ...secretsOf(seen, mayAdoptUnasked(seen) ? 'all' : placesOf(seen)),
        ...generationsIn(seen, generationNamesOf(seen.object).slice(1)),
      ]
    case 'restorable':
    case 'adoptable':
    // A canonical Secret that lost its label is not in view, and not lost.
    case 'lost':
    case 'renewing':
      return allSecretsOf(seen, 'all')
    case 'withdrawing':
    case 'withdrawn':
      return [...allSecretsOf(seen, replicasOf(seen)), ...services]
    case 'unneeded':
      return isBeingTakenOver(seen) ? allSecretsOf(seen, 'all') : []
    case 'established': {
      const places = placesToWithdrawFrom(seen, stage)
      const { moves } = stage.keys.course
      if (places.length + moves.length === 0) return []
      const asksServices = moves.some(({ is }) => is === 'promote' || is === 'end' || is === 'delete')
      return [
        ...allSecretsOf(seen, replicasOf(seen)),
        // A service that the cache has lost would cost its namespace the key.
        ...places.map((namespace) => ({ kind: LedgerService, choice: { namespace } })),
        ...(asksServices ? services : []),
      ]
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
      return []
    default:
      return stage satisfies never
  }
}

/** What services list and have loaded. */
const services: readonly LiveRead[] = [
  { kind: LedgerService, choice: {} },
  { kind: ConfigMap, choice: serviceNames.managedBy },
  { kind: StatefulSet, choice: serviceNames.managedBy },
]

const allSecretsOf = (seen: Observed, replicas: readonly string[] | 'all'): readonly LiveRead[] => [
  ...secretsOf(seen, replicas),
  ...generationsIn(seen, generationNamesOf(seen.object)),
]

const generationsIn = ({ operatorNamespace: namespace }: Observed, names: readonly string[]): readonly LiveRead[] =>
  names.map((name) => ({ kind: Secret, key: { namespace, name } }))

/** Replicas by name, so that one that lost its label is found too; by label for the names of former versions. */
const secretsOf = ({ object }: Observed, replicas: readonly string[] | 'all'): readonly LiveRead[] => {
  const { name: agent } = object.metadata
  const name = agentNames.replica(agent)
  return [
    { kind: LedgerClusterAgent, key: { name: agent }, unlessWritten: true },
    ...(replicas === 'all'
      ? [{ kind: Secret, choice: { name } }]
      : replicas.map((namespace) => ({ kind: Secret, key: { namespace, name } }))),
    { kind: Secret, choice: { label: agentNames.label, value: agent } },
  ]
}

// With more, one list over all namespaces costs the server less.
const mostByName = 8

/** Where the agent's key goes, and went by its status. */
const placesOf = (seen: Observed): readonly string[] | 'all' => {
  const places = new Set([...targetNamespacesOf(seen), ...formerNamespacesOf(seen.object)])
  const visible = [...places].filter((place) => seen.namespaces.get(place) !== 'out-of-scope')
  return visible.length > mostByName ? 'all' : visible
}

/** Replicas may be anywhere if the status that named them is lost. */
const replicasOf = (seen: Observed): readonly string[] | 'all' =>
  seen.object.status?.distributedSecretRefs === undefined ? 'all' : placesOf(seen)

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
