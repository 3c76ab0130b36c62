import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { observeLive } from '../../kube/live-reads.ts'
import type { Reads } from '../../kube/reads.ts'
import type { SecretMemo } from '../../kube/secret-memo.ts'
import { digestedAll } from '../../kube/seen-secret.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { Namespace, Secret } from '../../pure/kind.ts'
import { agentNames, agentUidAnnotation } from '../../pure/names.ts'
import { isTerminating, type KubeObject } from '../../pure/object.ts'
import { liveReadsOf } from './live-reads.ts'
import { consumersOf, listingsOf, matchedBy } from './observe-services.ts'
import { formerNamespacesOf, generationNamesOf, isMarked, type Observed, targetNamespacesOf } from './observed.ts'

export interface Means {
  readonly reads: Reads
  readonly memo: SecretMemo<AgentKeyDigest>
  readonly operatorNamespace: string
  readonly adoptsLabelled: boolean
}

export const observe = (name: string, means: Means): Promise<Observed | undefined> =>
  observeLive({ look: () => look(name, means), liveReadsOf }, means.reads)

const look = async (name: string, means: Means): Promise<Observed | undefined> => {
  const { reads, operatorNamespace, adoptsLabelled } = means
  const object = reads.get<LedgerClusterAgent>(LedgerClusterAgent, { name })
  if (object === undefined) return undefined
  const matched = matchedBy(object, reads)
  const unseen: Observed = {
    object,
    operatorNamespace,
    adoptsLabelled,
    generations: [],
    replicas: new Map(),
    relics: [],
    leftKeys: [],
    matched,
    listings: [],
    consumers: [],
    namespaces: new Map(),
    doubt: undefined,
    now: reads.now,
  }
  // What is not ours yet, or never will be, is not worth a read.
  if (!isMarked(unseen)) return { ...unseen, leftKeys: leftKeysOf(object, means) }
  const replicas = await digestedAll(reads.named(Secret, agentNames.replica(name)), means)
  const places = new Set([...targetNamespacesOf({ object, matched }), ...formerNamespacesOf(object)])
  const listings = listingsOf(name, reads, operatorNamespace)
  return {
    ...unseen,
    generations: await digestedAll(generationsOf(object, means), means),
    replicas: new Map(replicas.map((secret) => [secret.metadata.namespace ?? '', secret])),
    relics: await digestedAll(relicsOf(name, means), means),
    listings,
    consumers: consumersOf(object, { matched, listings }, reads),
    namespaces: new Map([...places].flatMap((namespace) => namespaceState(reads, namespace))),
  }
}

/** By their names, so that one that lost its label is found too where something tells of it. */
const generationsOf = (object: LedgerClusterAgent, { reads, operatorNamespace }: Means): readonly KubeObject[] => {
  const { name: agent } = object.metadata
  const labelled = reads
    .find(Secret, agentNames.label, agent)
    .filter(({ metadata }) => metadata.namespace === operatorNamespace)
    .map(({ metadata }) => metadata.name)
  const names = [
    ...generationNamesOf(object),
    ...labelled.filter((name) => agentNames.generationNumber(agent, name) !== undefined),
  ]
  return [...new Set(names)].flatMap((name) => reads.get(Secret, { namespace: operatorNamespace, name }) ?? [])
}

/** Key generations that carry the UID of another agent. Those of the former operator carry none. */
const leftKeysOf = ({ metadata }: LedgerClusterAgent, { reads, operatorNamespace }: Means): readonly KubeObject[] =>
  reads.find(Secret, agentNames.label, metadata.name).filter((secret) => {
    const { namespace, name, annotations } = secret.metadata
    const madeFor = annotations?.[agentUidAnnotation] ?? metadata.uid
    const isGeneration = agentNames.generationNumber(metadata.name, name) !== undefined
    return namespace === operatorNamespace && isGeneration && madeFor !== metadata.uid
  })

/** Secrets under the agent's label that are not at a name of today, or not where it counts. */
const relicsOf = (name: string, { reads, operatorNamespace }: Means): readonly KubeObject[] =>
  reads
    .find(Secret, agentNames.label, name)
    .filter(
      ({ metadata }) =>
        metadata.name === agentNames.earlyReplica(name) ||
        (metadata.name === agentNames.canonical(name) && metadata.namespace !== operatorNamespace),
    )

const namespaceState = (reads: Reads, name: string): [string, 'active' | 'terminating' | 'out-of-scope'][] => {
  if (!reads.isInScope(Namespace, { name })) return [[name, 'out-of-scope']]
  const namespace = reads.get(Namespace, { name })
  return namespace === undefined ? [] : [[name, isTerminating(namespace) ? 'terminating' : 'active']]
}
