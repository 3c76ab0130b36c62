import type { AgentPhase } from '../../api/ledgerclusteragent.ts'
import { agentNames } from '../../pure/names.ts'
import { printKey } from '../../pure/object.ts'
import type { StatusWish } from '../../pure/plan.ts'
import { unlessEmpty } from '../../pure/unless-empty.ts'
import { furtherConditionsOf } from './conditions.ts'
import { generationRowsOf } from './generation-rows.ts'
import { keyIdOf, type Observed, outOfScopeNamespacesOf, type SeenSecret } from './observed.ts'
import { isOurs, type SoundKey, soundly } from './ownership.ts'
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
      generations: unlessEmpty('keys' in stage ? generationRowsOf(observed, stage.keys) : status?.generations),
      distributedSecretRefs: unlessEmpty(
        isEstablished ? refsOf(observed, stage.current.key) : status?.distributedSecretRefs,
      ),
      matchedServices: unlessEmpty(matchedServicesOf(observed)),
      orphanedServices: unlessEmpty(orphanedServicesOf(observed)),
      targets: unlessEmpty(targets.map(targetOf)),
    },
    fieldsWhenFailed: { phase: 'Error' satisfies AgentPhase },
    ready: { status: reason === 'KeyPairReady' ? 'True' : 'False', reason, message },
    others: furtherConditionsOf(observed, stage, surplus),
  }
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

const matchedServicesOf = ({ object, matched }: Observed) =>
  'fault' in matched
    ? object.status?.matchedServices
    : matched.services.map(({ namespace, name }) => ({ namespace, name }))

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
