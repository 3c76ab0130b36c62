import type { AgentPhase, AgentReason } from '../../api/ledgerclusteragent.ts'
import { agentNames } from '../../pure/names.ts'
import { keyOf, printKey } from '../../pure/object.ts'
import type { StatusWish } from '../../pure/plan.ts'
import { type Observed, targetNamespacesOf } from './observed.ts'
import type { Stage } from './stage.ts'
import type { TargetStage } from './target-stage.ts'

interface Verdict {
  readonly phase: AgentPhase
  readonly reason: AgentReason
  readonly message: string
}

/** What the agent's status says in this stage. */
export const statusOf = (observed: Observed, stage: Stage, targets: readonly TargetStage[]): StatusWish => {
  const { phase, reason, message } = verdictOf(observed, stage, targets)
  const served = targets.filter(({ is }) => is === 'served').map(({ namespace }) => namespace)
  const name = agentNames.replica(observed.object.metadata.name)
  // A key that is lost or in doubt is still this agent's key: only its end takes the id away.
  const keyID = stage.is === 'established' ? stage.key.keyId : observed.object.status?.keyID
  const refs =
    stage.is === 'established'
      ? served.map((namespace) => ({ namespace, name }))
      : observed.object.status?.distributedSecretRefs
  return {
    fields: {
      phase,
      keyID,
      distributedSecretRefs: refs?.length === 0 ? undefined : refs,
      matchedServices: observed.object.status?.matchedServices,
    },
    fieldsWhenFailed: { phase: 'Error' satisfies AgentPhase },
    ready: { status: reason === 'KeyPairReady' ? 'True' : 'False', reason, message },
    others: [
      {
        type: 'SelectorResolved',
        status: 'Unknown',
        reason: 'ServicesNotWatched',
        message:
          'not evaluated by this version: the key goes to spec.additionalNamespaces and to services matched before',
      },
    ],
  }
}

const verdictOf = (observed: Observed, stage: Stage, targets: readonly TargetStage[]): Verdict => {
  const agent = observed.object.metadata.name
  const canonical = `Secret ${printKey({ namespace: observed.operatorNamespace, name: agentNames.canonical(agent) })}`
  switch (stage.is) {
    case 'in-doubt':
      return { phase: 'Error', reason: 'SecretUnreadable', message: stage.cause }
    case 'withdrawing': {
      const holders = [...stage.replicas, ...(stage.canonical === undefined ? [] : [stage.canonical])]
      const names = holders.map((holder) => printKey(keyOf(holder)))
      return { phase: 'Pending', reason: 'Deleting', message: `waiting for Secrets to go: ${listed(names)}` }
    }
    case 'withdrawn':
      return { phase: 'Pending', reason: 'Deleting', message: 'every copy of the key is gone' }
    case 'lost':
      return { phase: 'Error', reason: 'CanonicalLost', message: lostMessage(canonical, stage.keyId) }
    case 'invalid':
      return {
        phase: 'Error',
        reason: 'CanonicalInvalid',
        message: `${canonical} cannot be used: ${stage.fault}; nothing is changed until it is put right`,
      }
    case 'established':
      return targetVerdict(targets)
    case 'unneeded':
      return targetVerdict([])
    case 'claimed-elsewhere':
    case 'unmarked':
    case 'unminted':
      return {
        phase: 'Pending',
        reason: 'Distributing',
        message: `the key is on its way to ${targetNamespacesOf(observed.object).length} namespaces`,
      }
    default:
      return stage satisfies never
  }
}

const lostMessage = (canonical: string, keyId: string | undefined): string =>
  keyId === undefined
    ? `${canonical} is gone, and nothing says which of the copies that remain is the agent’s key; restore it from a backup`
    : `${canonical} is gone, and no copy of key ${keyId} remains; restore it from a backup`

const obstacles: readonly { is: TargetStage['is']; phase: AgentPhase; reason: AgentReason; text: string }[] = [
  { is: 'foreign', phase: 'Error', reason: 'ForeignSecret', text: 'a Secret of that name is not ours' },
  { is: 'unreadable', phase: 'Error', reason: 'SecretUnreadable', text: 'the Secret could not be read' },
  { is: 'terminating', phase: 'Pending', reason: 'NamespaceTerminating', text: 'the namespace is being deleted' },
  { is: 'out-of-scope', phase: 'Pending', reason: 'OutOfScope', text: 'this operator does not watch the namespace' },
  { is: 'missing', phase: 'Pending', reason: 'NamespaceMissing', text: 'the namespace does not exist' },
  { is: 'due', phase: 'Pending', reason: 'Distributing', text: 'the key is on its way' },
]

/** The worst obstacle gives the reason; the message names them all. */
const targetVerdict = (targets: readonly TargetStage[]): Verdict => {
  if (targets.length === 0) return { phase: 'Pending', reason: 'NoTargets', message: 'no namespace asks for the key' }
  const met = obstacles.flatMap((obstacle) => {
    const names = targets.filter(({ is }) => is === obstacle.is).map(nameOf)
    return names.length === 0 ? [] : [{ ...obstacle, message: `${obstacle.text}: ${listed(names)}` }]
  })
  const served = targets.filter(({ is }) => is === 'served').length
  const [worst] = met
  if (worst === undefined)
    return { phase: 'Ready', reason: 'KeyPairReady', message: `the key is in ${served} of ${served} namespaces` }
  const message = [
    `the key is in ${served} of ${targets.length} namespaces`,
    ...met.map((obstacle) => obstacle.message),
  ].join('; ')
  return { phase: worst.phase, reason: worst.reason, message }
}

/** The namespace, and why it could not be read when that is the trouble. */
const nameOf = (target: TargetStage): string =>
  target.is === 'unreadable' ? `${target.namespace} (${target.cause})` : target.namespace

const mostListed = 5

const listed = (names: readonly string[]): string =>
  names.length <= mostListed
    ? names.join(', ')
    : `${names.slice(0, mostListed).join(', ')} and ${names.length - mostListed} more`
