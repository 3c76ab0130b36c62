import type { AgentPhase } from '../../api/ledgerclusteragent.ts'
import { agentNames } from '../../pure/names.ts'
import type { StatusWish } from '../../pure/plan.ts'
import { furtherConditionsOf } from './conditions.ts'
import type { Observed } from './observed.ts'
import { outOfScopeNamespacesOf, type Stage } from './stage.ts'
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
      keyID: isEstablished ? stage.key.keyId : status?.keyID,
      distributedSecretRefs: someOf(isEstablished ? refsOf(observed, targets) : status?.distributedSecretRefs),
      matchedServices: someOf(matchedServicesOf(observed)),
      targets: someOf(targets.map(targetOf)),
    },
    fieldsWhenFailed: { phase: 'Error' satisfies AgentPhase },
    ready: { status: reason === 'KeyPairReady' ? 'True' : 'False', reason, message },
    others: furtherConditionsOf(observed, surplus),
  }
}

/** The copies that are there; and those that were, where we may not look. */
const refsOf = (observed: Observed, targets: readonly TargetStage[]) => {
  const name = agentNames.replica(observed.object.metadata.name)
  const served = targets.filter(({ is }) => is === 'served').map(({ namespace }) => namespace)
  return [...served, ...outOfScopeNamespacesOf(observed)].sort().map((namespace) => ({ namespace, name }))
}

const matchedServicesOf = ({ object, matched }: Observed) =>
  'fault' in matched
    ? object.status?.matchedServices
    : matched.services.map(({ namespace, name }) => ({ namespace, name }))

const targetOf = (target: TargetStage) => {
  const reason = reasonOf(target)
  return reason === undefined
    ? { namespace: target.namespace, ready: true }
    : { namespace: target.namespace, ready: false, reason }
}

const someOf = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length === 0 ? undefined : list)
