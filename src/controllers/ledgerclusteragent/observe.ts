import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { isApiError } from '../../kube/api-error.ts'
import type { Reads } from '../../kube/reads.ts'
import type { SecretMemo } from '../../kube/secret-memo.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { Namespace, Secret } from '../../pure/kind.ts'
import { agentNames } from '../../pure/names.ts'
import { isTerminating, type KubeObject, keyOf, printKey } from '../../pure/object.ts'
import { isMarked, type Observed, type SeenSecret, targetNamespacesOf } from './observed.ts'
import { isOurs } from './stage.ts'

interface Means {
  readonly reads: Reads
  readonly memo: SecretMemo<AgentKeyDigest>
  readonly operatorNamespace: string
}

export const observe = async (name: string, means: Means): Promise<Observed | undefined> => {
  const seen = await look(name, means)
  if (seen === undefined || !needsLiveLook(seen)) return seen
  const { reads, operatorNamespace } = means
  try {
    // By name, so that a Secret that lost its label is found too.
    await Promise.all([
      reads.refresh(LedgerClusterAgent, { name }),
      reads.refresh(Secret, { namespace: operatorNamespace, name: agentNames.canonical(name) }),
      reads.refreshNamed(Secret, agentNames.replica(name)),
    ])
  } catch (error) {
    if (!isApiError(error)) throw error
    return { ...seen, doubt: error.message }
  }
  return look(name, means)
}

const look = async (name: string, means: Means): Promise<Observed | undefined> => {
  const { reads, operatorNamespace } = means
  const object = reads.get<LedgerClusterAgent>(LedgerClusterAgent, { name })
  if (object === undefined) return undefined
  const unseen: Observed = {
    object,
    operatorNamespace,
    canonical: undefined,
    replicas: new Map(),
    namespaces: new Map(),
    doubt: undefined,
  }
  // What is not ours yet, or never will be, is not worth a read.
  if (!isMarked(unseen)) return unseen
  const canonical = reads.get(Secret, { namespace: operatorNamespace, name: agentNames.canonical(name) })
  const replicas = await Promise.all(
    reads.named(Secret, agentNames.replica(name)).map((replica) => digested(replica, means)),
  )
  return {
    ...unseen,
    canonical: canonical && (await digested(canonical, means)),
    replicas: byNamespace(replicas.filter((replica) => replica !== undefined)),
    namespaces: new Map(targetNamespacesOf(object).flatMap((namespace) => namespaceState(reads, namespace))),
  }
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

const byNamespace = (secrets: readonly SeenSecret[]): ReadonlyMap<string, SeenSecret> => {
  const entries = secrets.map((secret) => [secret.metadata.namespace ?? '', secret] as const)
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const namespaceState = (reads: Reads, name: string): [string, 'active' | 'terminating' | 'out-of-scope'][] => {
  if (!reads.isInScope(Namespace, { name })) return [[name, 'out-of-scope']]
  const namespace = reads.get(Namespace, { name })
  return namespace === undefined ? [] : [[name, isTerminating(namespace) ? 'terminating' : 'active']]
}

/** Before a key is minted or a key holder deleted, the cache is not enough. */
const needsLiveLook = (seen: Observed): boolean =>
  isMarked(seen) && (isTerminating(seen.object) || mayMint(seen) || mayWithdraw(seen))

const mayMint = ({ object, canonical }: Observed): boolean =>
  canonical === undefined && (targetNamespacesOf(object).length > 0 || object.status?.keyID !== undefined)

/** A copy lies, or may lie, where the spec no longer wants it. */
const mayWithdraw = ({ object, replicas }: Observed): boolean => {
  const targets = new Set(targetNamespacesOf(object))
  const held = [...replicas].flatMap(([namespace, replica]) => (mayBeOurs(replica, object) ? [namespace] : []))
  const former = (object.status?.distributedSecretRefs ?? []).map(({ namespace }) => namespace)
  return [...held, ...former].some((namespace) => !targets.has(namespace))
}

const mayBeOurs = (secret: SeenSecret, { metadata }: LedgerClusterAgent): boolean =>
  'unknown' in secret.key || isOurs(secret, metadata.name)
