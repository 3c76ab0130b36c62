import type { Effect } from '../../pure/effects.ts'
import { keep } from '../../pure/keep.ts'
import { Secret } from '../../pure/kind.ts'
import { agentNames, agentSuccession } from '../../pure/names.ts'
import { isTerminating, keyOf, preconditionOf } from '../../pure/object.ts'
import type { Observed, SeenSecret } from './observed.ts'
import { renderReplica } from './render/replica.ts'
import { isOurs, type Sound } from './ownership.ts'

/** The situations that one target namespace can be in. */
export type TargetStage = { readonly namespace: string } & (
  | { readonly is: 'missing' | 'terminating' | 'out-of-scope' | 'foreign' }
  | { readonly is: 'unreadable'; readonly cause: string }
  /** The replica must be made again, and a finalizer of somebody else keeps the one that is there. */
  | { readonly is: 'replica-terminating' }
  /** The replica is absent or not as it should be; this is what comes next. */
  | { readonly is: 'due'; readonly effects: readonly Effect[] }
  | { readonly is: 'served' }
)

const replicaKeeping = { kind: Secret, ...agentSuccession }

export const targetStageOf = (
  observed: Observed,
  namespace: string,
  current: Sound,
  held: readonly Sound[],
): TargetStage => {
  const agent = observed.object.metadata.name
  const state = observed.namespaces.get(namespace)
  if (state === undefined) return { namespace, is: 'missing' }
  if (state !== 'active') return { namespace, is: state }
  const replica = observed.replicas.get(namespace)
  if (replica !== undefined && 'unknown' in replica.key)
    return { namespace, is: 'unreadable', cause: replica.key.unknown }
  if (replica !== undefined && !isOurs(replica, agent)) return { namespace, is: 'foreign' }
  const desired = renderReplica(agent, namespace, current)
  const hasDrifted = replica !== undefined && !holds(replica, current)
  const isFormer = replica !== undefined && hasDrifted && held.some((key) => holds(replica, key))
  const isSpoilt = hasDrifted || replica?.metadata.labels?.[agentNames.label] !== agent
  const event = isFormer ? 'Rotated' : isSpoilt ? 'Repaired' : undefined
  const effects = keep(replicaKeeping, replica, desired, hasDrifted).map((effect) => told(effect, event))
  if (effects.length === 0) return { namespace, is: 'served' }
  if (replica === undefined || !isFixed(replica)) return { namespace, is: 'due', effects }
  return isTerminating(replica)
    ? { namespace, is: 'replica-terminating' }
    : { namespace, is: 'due', effects: [replaceBy(replica, event)] }
}

/** Whether the API server lets nobody change what is in it. */
const isFixed = ({ key }: SeenSecret): boolean => 'known' in key && key.known.isFixed === true

/** Only as it was seen. The next reconcile finds none, and creates one. */
const replaceBy = (replica: SeenSecret, event = 'Repaired'): Effect => ({
  do: 'delete',
  kind: Secret,
  key: keyOf(replica),
  ...preconditionOf(replica),
  event,
})

/** A copy that is only taken over is not worth an event. */
const told = (effect: Effect, event: string | undefined): Effect => {
  if (effect.do === 'create') return { ...effect, event: 'Distributed' }
  return effect.do === 'apply' && event !== undefined ? { ...effect, event } : effect
}

const holds = ({ key }: SeenSecret, expected: Sound): boolean =>
  'known' in key && key.known.is === 'sound' && key.known.keyId === expected.key.keyId
