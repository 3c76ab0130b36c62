import type { AgentPhase } from '../../api/ledgerclusteragent.ts'
import { agentNames } from '../../pure/names.ts'
import { printKey } from '../../pure/object.ts'
import type { StatusWish } from '../../pure/plan.ts'
import { countUnlessAll, mostEntries, shortened } from '../../pure/shortened.ts'
import { unlessEmpty } from '../../pure/unless-empty.ts'
import { furtherConditionsOf } from './conditions.ts'
import { generationRowsOf } from './generation-rows.ts'
import { keyIdOf, type Observed, outOfScopeNamespacesOf, type SeenSecret } from './observed.ts'
import { isOurs, type SoundKey, soundly } from './ownership.ts'
import type { Keys } from './situation.ts'
import type { Stage } from './stage.ts'
import type { Surplus } from './surplus.ts'
import type { TargetStage } from './target-stage.ts'
import { reasonOf, verdictOf } from './verdict.ts'

/** What the agent's status says in this stage. */
export const statusOf = (
  observed: Observed,
  stage: Stage,
  targets: readonly TargetStage[] = [],
  surplus?: Surplus,
): StatusWish => {
  const { status } = observed.object
  const { phase, reason, message } = verdictOf(observed, stage, targets)
  const isEstablished = stage.is === 'established'
  return {
    fields: {
      phase,
      // A key that is lost or in doubt is still this agent's key: only its end takes the id away.
      keyID: isEstablished ? stage.current.key.keyId : keyIdOf(observed.object),
      keyMade: isEstablished ? stage.current.secret.metadata.creationTimestamp : status?.keyMade,
      ...('keys' in stage ? generationFields(observed, stage.keys) : generationFieldsIn(status)),
      ...(isEstablished ? secretFields(observed, stage.current.key) : secretFieldsIn(status)),
      ...serviceFields(observed),
      orphanedServices: unlessEmpty(shortened(orphanedServicesOf(observed))),
      ...targetFields(targets),
    },
    fieldsWhenFailed: { phase: 'Error' satisfies AgentPhase },
    ready: { status: reason === 'KeyPairReady' ? 'True' : 'False', reason, message },
    others: furtherConditionsOf(observed, stage, surplus),
  }
}

type Status = Observed['object']['status']

/** A key that is revoked is shown only where there is room for it: the others are what people, and services, look for. */
const generationFields = (observed: Observed, keys: Keys) => {
  const rows = generationRowsOf(observed, keys)
  const newestFirst = shortened(rows.toReversed(), ({ state }) => (state === 'Revoked' ? 1 : 0))
  return { generations: unlessEmpty(newestFirst.toReversed()), generationCount: countUnlessAll(rows, newestFirst) }
}

const generationFieldsIn = (status: Status) => ({
  generations: unlessEmpty(status?.generations),
  generationCount: status?.generationCount,
})

/** Those that are outside the watched namespaces are remembered only here: none of them is left out. */
const secretFields = (observed: Observed, key: SoundKey) => {
  const refs = refsOf(observed, key)
  const hidden = new Set(outOfScopeNamespacesOf(observed))
  const isSeen = ({ namespace }: (typeof refs)[number]): number => (hidden.has(namespace) ? 0 : 1)
  const listed = shortened(refs, isSeen, Math.max(mostEntries, hidden.size))
  return { distributedSecretRefs: unlessEmpty(listed), distributedSecretCount: countUnlessAll(refs, listed) }
}

const secretFieldsIn = (status: Status) => ({
  distributedSecretRefs: unlessEmpty(status?.distributedSecretRefs),
  distributedSecretCount: status?.distributedSecretCount,
})

const serviceFields = ({ object: { status }, matched }: Observed) => {
  if ('fault' in matched) {
    return { matchedServices: unlessEmpty(status?.matchedServices), matchedServiceCount: status?.matchedServiceCount }
  }
  const listed = shortened(matched.services).map(({ namespace, name }) => ({ namespace, name }))
  return { matchedServices: unlessEmpty(listed), matchedServiceCount: countUnlessAll(matched.services, listed) }
}

const targetFields = (targets: readonly TargetStage[]) => {
  const listed = shortened(targets.map(targetOf), ({ ready }) => (ready ? 1 : 0))
  return { targets: unlessEmpty(listed), targetCount: countUnlessAll(targets, listed) }
}

/** The copies that are there, wanted or not; and those that were, where we may not look. */
const refsOf = (observed: Observed, key: SoundKey) => {
  const agent = observed.object.metadata.name
  const isCopy = (secret: SeenSecret) =>
    isOurs(secret, agent) && soundly(secret).some(({ key: { keyId } }) => keyId === key.keyId)
  const held = [...observed.replicas].filter(([, secret]) => isCopy(secret)).map(([namespace]) => namespace)
  const namespaces = new Set([...held, ...outOfScopeNamespacesOf(observed)])
  return [...namespaces].sort().map((namespace) => ({ namespace, name: agentNames.replica(agent) }))
}

const orphanedServicesOf = ({ consumers }: Observed) =>
  consumers
    .filter(({ isOrphaned }) => isOrphaned)
    .map(({ service: { namespace = '', name } }) => ({ namespace, name }))
    .sort((one, other) => (printKey(one) < printKey(other) ? -1 : 1))

const targetOf = (target: TargetStage) => {
  const reason = reasonOf(target)
  return reason === undefined
    ? { namespace: target.namespace, ready: true }
    : { namespace: target.namespace, ready: false, reason }
}
