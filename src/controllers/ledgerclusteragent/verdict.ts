import type { AgentPhase, AgentReason, LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { adoptAnnotation, agentNames, claimAnnotation, revokeAnnotation } from '../../pure/names.ts'
import { keyOf, type ObjectKey, printKey } from '../../pure/object.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { type Observed, targetNamespacesOf } from './observed.ts'
import type { Sound } from './ownership.ts'
import type { Stage } from './stage.ts'
import type { TargetStage } from './target-stage.ts'
import { listed } from '../../pure/wording.ts'

export interface Verdict {
  readonly phase: AgentPhase
  readonly reason: AgentReason
  readonly message: string
}

const error = (reason: AgentReason, message: string): Verdict => ({ phase: 'Error', reason, message })
const pending = (reason: AgentReason, message: string): Verdict => ({ phase: 'Pending', reason, message })

/** Whether the agent is ready, and why not. */
export const verdictOf = (observed: Observed, stage: Stage, targets: readonly TargetStage[]): Verdict => {
  const agent = observed.object.metadata.name
  const canonical = `Secret ${printKey({ namespace: observed.operatorNamespace, name: agentNames.canonical(agent) })}`
  switch (stage.is) {
    case 'in-doubt':
      return error('SecretUnreadable', stage.cause)
    case 'withdrawing': {
      const holders = [...stage.copies, ...stage.generations]
      return pending(
        'Deleting',
        `waiting for Secrets to go: ${listed(holders.map((holder) => printKey(keyOf(holder))))}`,
      )
    }
    case 'still-held':
      return heldVerdict(stage)
    case 'withdrawn':
      return pending('Deleting', 'every copy of the key is gone')
    case 'lost':
      return error('CanonicalLost', lostMessage(observed.object, canonical, stage))
    case 'ambiguous':
      return error(
        'AdoptionAmbiguous',
        `copies of different keys, and nothing says which is this agent’s: ${withKeyIds(stage.copies)}; ${consent(agent, stage.copies)}`,
      )
    case 'awaiting-consent':
      return error(
        'AdoptionNeedsConsent',
        `a key that nobody has vouched for is where this agent’s would go: ${withKeyIds(stage.copies)}; delete it, or, ${consent(agent, stage.copies)}`,
      )
    case 'keys-left':
      return error('LeftoverKeys', leftoverMessage(observed, stage))
    case 'unadoptable':
      return error('AdoptionImpossible', `the annotation ${adoptAnnotation} names ${stage.named}: ${stage.fault}`)
    case 'invalid':
      return error(
        'CanonicalInvalid',
        `Secret ${stage.secret} cannot be used: ${stage.fault}; nothing is changed until it is put right`,
      )
    case 'renewing':
      return pending('Distributing', 'its last key was revoked, and a new one is being made')
    case 'established':
      return selectorVerdict(observed) ?? targetVerdict(targets)
    case 'unneeded':
      return selectorVerdict(observed) ?? targetVerdict([])
    case 'claimed-elsewhere':
    case 'unmarked':
    case 'unminted':
    case 'restorable':
    case 'adoptable':
      return pending('Distributing', `the key is on its way to ${targetNamespacesOf(observed).length} namespaces`)
    default:
      return stage satisfies never
  }
}

const selectorVerdict = ({ matched }: Observed): Verdict | undefined =>
  'fault' in matched ? error('SelectorFailed', `spec.selector means nothing: ${matched.fault}`) : undefined

const printAll = (keys: readonly ObjectKey[]): string => listed(keys.map(printKey))

const heldVerdict = ({ listedBy, orphans, outOfScope }: Stage & { is: 'still-held' }): Verdict => {
  const waits = [
    ...(listedBy.length > 0 ? [`waiting for services to drop its key: ${printAll(listedBy)}`] : []),
    ...(orphans.length > 0 ? [orphanMessage(printAll(orphans))] : []),
  ]
  return outOfScope.length > 0
    ? pending(
        'OutOfScope',
        `copies may be left where this operator does not look: ${listed(outOfScope)}; let it watch these namespaces, or delete the copies and take the finalizer off by hand`,
      )
    : pending('Deleting', waits.join('; '))
}

/** Nobody keeps such a key list any more. */
const orphanMessage = (services: string): string =>
  `these services are gone, and their pods still have its key: ${services}; delete their StatefulSets (ledger-NAME), or create the services again`

const lostMessage = (
  object: LedgerClusterAgent,
  canonical: string,
  { keyId, listedBy }: Stage & { is: 'lost' },
): string => {
  if (listedBy.length > 0) {
    const key = keyId === undefined ? 'a key' : `key ${keyId}`
    return `${canonical} is not there, no copy remains, and ${key} of this agent is in the list of ${printAll(listedBy)}; restore the Secret from a backup, or take a false entry out of the list`
  }
  return keyId === undefined
    ? `a key of this agent is gone from the operator’s namespace (the first is in ${canonical}), and nothing says which it was; restore its Secret from a backup, or name a replica that holds it: kubectl annotate --overwrite ledgerclusteragent ${object.metadata.name} ${adoptAnnotation}=NAMESPACE/SECRET@KEY_ID`
    : `the Secret with key ${keyId} is gone from the operator’s namespace, and no copy of it remains; restore it from a backup, or give the key up and get a new one: kubectl annotate --overwrite ledgerclusteragent ${object.metadata.name} ${revokeAnnotation}=${[...revocationsOf(object), keyId].join(',')}`
}

const withKeyIds = (copies: readonly Sound[]): string =>
  listed(copies.map(({ secret, key }) => `${printKey(keyOf(secret))} (key ${key.keyId})`))

/** Where there is a choice, it is not ours to suggest one: the first by name may be the one that was planted. */
const consent = (agent: string, copies: readonly Sound[]): string => {
  const [first, ...others] = copies.map(({ secret, key }) => `${printKey(keyOf(secret))}@${key.keyId}`)
  const named = others.length > 0 ? 'NAMESPACE/SECRET@KEY_ID' : first
  return `to take it for the agent’s: kubectl annotate --overwrite ledgerclusteragent ${agent} ${adoptAnnotation}=${named}`
}

const leftoverMessage = ({ object, operatorNamespace }: Observed, { secrets }: Stage & { is: 'keys-left' }): string => {
  const claimed = `kubectl annotate ledgerclusteragent ${object.metadata.name} ${claimAnnotation}=${operatorNamespace}`
  return `these Secrets hold keys of a former agent of this name: ${printAll(secrets)}; delete them, and this agent gets a new key, or let it take the keys over: ${claimed}`
}

interface Obstacle {
  readonly is: TargetStage['is']
  readonly phase: AgentPhase
  readonly reason: AgentReason
  readonly text: string
}

/** From the worst down. */
const obstacles: readonly Obstacle[] = [
  { is: 'foreign', phase: 'Error', reason: 'ForeignSecret', text: 'a Secret of that name is not ours' },
  { is: 'unreadable', phase: 'Error', reason: 'SecretUnreadable', text: 'the Secret could not be read' },
  {
    is: 'replica-terminating',
    phase: 'Pending',
    reason: 'ReplicaTerminating',
    text: 'the Secret must be made again, and a finalizer keeps the one that is there',
  },
  { is: 'terminating', phase: 'Pending', reason: 'NamespaceTerminating', text: 'the namespace is being deleted' },
  { is: 'out-of-scope', phase: 'Pending', reason: 'OutOfScope', text: 'this operator does not watch the namespace' },
  { is: 'missing', phase: 'Pending', reason: 'NamespaceMissing', text: 'the namespace does not exist' },
  { is: 'due', phase: 'Pending', reason: 'Distributing', text: 'the key is on its way' },
]

/** Why a target does not have the key; undefined when it does. */
export const reasonOf = (target: TargetStage): AgentReason | undefined =>
  obstacles.find(({ is }) => is === target.is)?.reason

/** The worst obstacle gives the reason; the message names them all. */
const targetVerdict = (targets: readonly TargetStage[]): Verdict => {
  if (targets.length === 0) return pending('NoTargets', 'no namespace asks for the key')
  const met = obstacles.flatMap((obstacle) => {
    const names = targets.filter(({ is }) => is === obstacle.is).map(nameOf)
    return names.length === 0 ? [] : [{ ...obstacle, message: `${obstacle.text}: ${listed(names)}` }]
  })
  const served = targets.filter(({ is }) => is === 'served').length
  const count = `the key is in ${served} of ${targets.length} namespaces`
  const [worst] = met
  if (worst === undefined) return { phase: 'Ready', reason: 'KeyPairReady', message: count }
  const message = [count, ...met.map((obstacle) => obstacle.message)].join('; ')
  return { phase: worst.phase, reason: worst.reason, message }
}

/** The namespace, and why it could not be read when that is the trouble. */
const nameOf = (target: TargetStage): string =>
  target.is === 'unreadable' ? `${target.namespace} (${target.cause})` : target.namespace
