import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { isApiError } from '../../kube/api-error.ts'
import type { Reads } from '../../kube/reads.ts'
import type { SecretMemo } from '../../kube/secret-memo.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { Namespace, Secret } from '../../pure/kind.ts'
import { agentNames } from '../../pure/names.ts'
import { isTerminating, type KubeObject, keyOf, printKey } from '../../pure/object.ts'
import { lookLive, reasonsToLookLive } from './live-look.ts'
import { listingsOf, matchedBy } from './observe-services.ts'
import { formerNamespacesOf, isMarked, type Observed, type SeenSecret, targetNamespacesOf } from './observed.ts'

export interface Means {
  readonly reads: Reads
  readonly memo: SecretMemo<AgentKeyDigest>
  readonly operatorNamespace: string
  readonly adoptsLabelled: boolean
}

export const observe = async (name: string, means: Means): Promise<Observed | undefined> => {
  let seen = await look(name, means)
  const read = new Set<string>()
  let hasReadLists = false
  for (let looks = 0; seen !== undefined; looks += 1) {
    const reasons = reasonsToLookLive(seen)
    const isRead = reasons.places.every((place) => read.has(place)) && (reasons.isEnd === undefined || hasReadLists)
    const isEnough = looks > 0 && isRead
    if (!reasons.isAtStake || isEnough) return seen
    if (looks === mostLooks) return { ...seen, doubt: 'it changes faster than it can be looked at' }
    try {
      await lookLive(seen, reasons, means.reads)
    } catch (error) {
      if (!isApiError(error)) throw error
      return { ...seen, doubt: error.message }
    }
    for (const place of reasons.places) read.add(place)
    hasReadLists ||= reasons.isEnd === true
    // What is seen now may put other copies at stake.
    seen = await look(name, means)
  }
  return undefined
}

const mostLooks = 3

const look = async (name: string, means: Means): Promise<Observed | undefined> => {
  const { reads, operatorNamespace, adoptsLabelled } = means
  const object = reads.get<LedgerClusterAgent>(LedgerClusterAgent, { name })
  if (object === undefined) return undefined
  const matched = matchedBy(object, reads)
  const unseen: Observed = {
    object,
    operatorNamespace,
    adoptsLabelled,
    canonical: undefined,
    replicas: new Map(),
    relics: [],
    matched,
    listings: [],
    namespaces: new Map(),
    doubt: undefined,
  }
  // What is not ours yet, or never will be, is not worth a read.
  if (!isMarked(unseen)) return unseen
  const canonical = reads.get(Secret, { namespace: operatorNamespace, name: agentNames.canonical(name) })
  const replicas = await digestedAll(reads.named(Secret, agentNames.replica(name)), means)
  const places = new Set([...targetNamespacesOf({ object, matched }), ...formerNamespacesOf(object)])
  return {
    ...unseen,
    canonical: canonical && (await digested(canonical, means)),
    replicas: new Map(replicas.map((secret) => [secret.metadata.namespace ?? '', secret])),
    relics: await digestedAll(relicsOf(name, means), means),
    listings: listingsOf(name, reads),
    namespaces: new Map([...places].flatMap((namespace) => namespaceState(reads, namespace))),
  }
}

/** Secrets under the agent's label that are not at a name of today, or not where it counts. */
const relicsOf = (name: string, { reads, operatorNamespace }: Means): readonly KubeObject[] =>
  reads
    .find(Secret, 'agent', name)
    .filter(
      ({ metadata }) =>
        metadata.name === agentNames.earlyReplica(name) ||
        (metadata.name === agentNames.canonical(name) && metadata.namespace !== operatorNamespace),
    )

const digestedAll = async (secrets: readonly KubeObject[], means: Means): Promise<readonly SeenSecret[]> => {
  const seen = await Promise.all(secrets.map((secret) => digested(secret, means)))
  return seen
    .filter((secret) => secret !== undefined)
    .sort((a, b) => (printKey(keyOf(a)) < printKey(keyOf(b)) ? -1 : 1))
}

/** The Secret with what its content comes down to; undefined when a look at it shows that it is gone. */
const digested = async (secret: KubeObject, { reads, memo }: Means): Promise<SeenSecret | undefined> => {
  const known = memo.recall(secret)
  if (known !== undefined) return { ...secret, key: { known } }
  try {
    await reads.refresh(Secret, keyOf(secret))
  } catch (error) {
    if (!isApiError(error)) throw error
    return { ...secret, key: { unknown: error.message } }
  }
  const fresh = reads.get(Secret, keyOf(secret))
  const digest = fresh && memo.recall(fresh)
  return (
    fresh && {
      ...fresh,
      key: digest === undefined ? { unknown: `Secret ${printKey(keyOf(secret))} is being changed` } : { known: digest },
    }
  )
}

const namespaceState = (reads: Reads, name: string): [string, 'active' | 'terminating' | 'out-of-scope'][] => {
  if (!reads.isInScope(Namespace, { name })) return [[name, 'out-of-scope']]
  const namespace = reads.get(Namespace, { name })
  return namespace === undefined ? [] : [[name, isTerminating(namespace) ? 'terminating' : 'active']]
}
