import { LedgerService } from '../../api/ledgerservice.ts'
import { observeLive } from '../../kube/live-reads.ts'
import type { Reads } from '../../kube/reads.ts'
import type { SecretMemo } from '../../kube/secret-memo.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { keysHashOf } from '../../pure/key-list.ts'
import { Pod } from '../../pure/kind.ts'
import { parseKey } from '../../pure/object.ts'
import { type ServiceSettings, withDefaults } from './defaults.ts'
import { keyWishOf } from './key-wish.ts'
import { liveReadsOf } from './live-reads.ts'
import { agentsOf } from './observe-agents.ts'
import { childrenOf, clusterSecretOf, lookForWorkload, noChildren, workloadOf } from './observe-children.ts'
import { isMarked, keySightOf, type Observed, type SeenPod } from './observed.ts'
import type { Settling } from './settling.ts'

export interface Means {
  readonly reads: Reads
  readonly memo: SecretMemo<AgentKeyDigest>
  readonly settling: Settling
  readonly operatorNamespace: string
  readonly settings: ServiceSettings
}

export const observe = async (name: string, means: Means): Promise<Observed | undefined> => {
  // Before the key list gets shorter, what says so is read live.
  const seen = await observeLive({ look: () => look(name, means), liveReadsOf }, means.reads)
  if (seen === undefined || !isMarked(seen)) {
    means.settling.forget(name)
    return seen
  }
  return { ...seen, settlesAt: settlesAt(name, seen, means) }
}

const look = async (name: string, means: Means): Promise<Observed | undefined> => {
  const { reads, operatorNamespace, settings } = means
  const object = reads.get<LedgerService>(LedgerService, parseKey(name))
  if (object === undefined) return undefined
  const complete = withDefaults(object, settings)
  const unseen: Observed = {
    object,
    operatorNamespace,
    complete,
    children: noChildren,
    clusterSecret: undefined,
    agents: [],
    pods: [],
    settlesAt: undefined,
    doubt: undefined,
    now: reads.now,
  }
  // What is not ours yet, or never will be, is not worth a read. What its pods run with is in the cache.
  if (!isMarked(unseen)) return { ...unseen, children: { ...noChildren, workload: workloadOf(complete, reads) } }
  const doubt = await lookForWorkload(complete, reads)
  const children = childrenOf(complete, reads)
  return {
    ...unseen,
    // Without knowing what pods were made with, no list changes.
    doubt: doubt ?? children.workload?.unreadable,
    children,
    clusterSecret: await clusterSecretOf(unseen, children.workload, reads),
    agents: await agentsOf(object, children.list, means),
    pods: reads.find<SeenPod>(Pod, 'service', name),
  }
}

/** What takes a key away does not wait, nor does what no running pod would load. */
const settlesAt = (name: string, seen: Observed, { settling }: Means): number | undefined => {
  const { list, isChanged, isNarrowing, pending } = keyWishOf(keySightOf(seen))
  const isWorthIt = seen.children.workload !== undefined || pending.length > 0
  if (list === undefined || !isChanged || isNarrowing || !isWorthIt) {
    settling.forget(name)
    return undefined
  }
  return settling.settlesAt(name, keysHashOf(list.entries), seen.now)
}
