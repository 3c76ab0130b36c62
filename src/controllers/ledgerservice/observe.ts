import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import { isApiError } from '../../kube/api-error.ts'
import type { Reads } from '../../kube/reads.ts'
import type { SecretMemo } from '../../kube/secret-memo.ts'
import { digestedAll } from '../../kube/seen-secret.ts'
import type { AgentKeyDigest } from '../../pure/agent-key.ts'
import { keysHashOf, keysListedIn } from '../../pure/key-list.ts'
import { ConfigMap, Pod, Secret, Service, ServiceAccount, StatefulSet } from '../../pure/kind.ts'
import type { Known } from '../../pure/known.ts'
import { matcherOf } from '../../pure/label-selector.ts'
import { serviceNames } from '../../pure/names.ts'
import { isTerminating, type KubeObject, type ObjectKey, printKey } from '../../pure/object.ts'
import type { MatchedAgent } from './agent-entries.ts'
import { type CompleteService, type ServiceSettings, withDefaults } from './defaults.ts'
import { type KeyList, keyWishOf } from './key-wish.ts'
import { agentsAtStake, lookLive } from './live-look.ts'
import {
  isMarked,
  keySightOf,
  type LiveChildren,
  type LiveWorkload,
  liveVariable,
  type Observed,
  type SeenPod,
} from './observed.ts'
import { renderServiceAccount, serviceAccountNameOf } from './render/service-account.ts'
import type { Settling } from './settling.ts'

export interface Means {
  readonly reads: Reads
  readonly memo: SecretMemo<AgentKeyDigest>
  readonly settling: Settling
  readonly operatorNamespace: string
  readonly settings: ServiceSettings
}

export const observe = async (name: string, means: Means): Promise<Observed | undefined> => {
  const seen = await lookUntilSure(name, means)
  if (seen === undefined || !isMarked(seen)) {
    means.settling.forget(name)
    return seen
  }
  return { ...seen, settlesAt: settlesAt(name, seen, means) }
}

const mostLooks = 3

/** Before the key list gets shorter, what says so is read live. */
const lookUntilSure = async (name: string, means: Means): Promise<Observed | undefined> => {
  let seen = await look(name, means)
  const read = new Set<string>()
  for (let looks = 0; seen !== undefined; looks += 1) {
    const agents = agentsAtStake(seen)
    if (agents.every((agent) => read.has(agent))) return seen
    if (looks === mostLooks) return { ...seen, doubt: 'it changes faster than it can be looked at' }
    try {
      await lookLive(seen, agents, means.reads)
    } catch (error) {
      if (!isApiError(error)) throw error
      return { ...seen, doubt: error.message }
    }
    for (const agent of agents) read.add(agent)
    seen = await look(name, means)
  }
  return undefined
}

const look = async (name: string, means: Means): Promise<Observed | undefined> => {
  const { reads, operatorNamespace, settings } = means
  const object = reads.get<LedgerService>(LedgerService, keyIn(name))
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
  // What is not ours yet, or never will be, is not worth a read.
  if (!isMarked(unseen)) return unseen
  const children = childrenOf(complete, reads)
  return {
    ...unseen,
    children,
    clusterSecret: await clusterSecretOf(unseen, children.workload, reads),
    agents: await agentsOf(object, children.list, means),
    pods: reads.find<SeenPod>(Pod, 'service', name),
  }
}

/** A service's key in the queue is its namespace and name. */
const keyIn = (key: string): ObjectKey => {
  const [namespace, name = ''] = key.split('/')
  return { namespace, name }
}

const noChildren: LiveChildren = {
  account: undefined,
  headless: undefined,
  service: undefined,
  list: undefined,
  workload: undefined,
  formerAccounts: [],
}

const childrenOf = (service: CompleteService, reads: Reads): LiveChildren => {
  const { namespace, name } = service
  const at = (child: string): ObjectKey => ({ namespace, name: child })
  const wanted = renderServiceAccount(service) === undefined ? undefined : serviceAccountNameOf(service)
  return {
    account: wanted === undefined ? undefined : reads.get(ServiceAccount, at(wanted)),
    headless: reads.get(Service, at(serviceNames.headless(name))),
    service: reads.get(Service, at(serviceNames.workload(name))),
    list: reads.get(ConfigMap, at(serviceNames.keyList(name))),
    workload: reads.get<LiveWorkload>(StatefulSet, at(serviceNames.workload(name))),
    formerAccounts: reads
      .find(ServiceAccount, 'service', printKey({ namespace, name }))
      .filter(({ metadata }) => metadata.name !== wanted),
  }
}

/** Looked for only before replicas are made that need it: what they run with is not ours to change. */
const clusterSecretOf = async (
  { object, complete }: Observed,
  workload: LiveWorkload | undefined,
  reads: Reads,
): Promise<Known<boolean> | undefined> => {
  const { namespace, name, spec } = complete
  const isInUse = liveVariable(workload, 'TLS_MODE') === 'required'
  if (spec.tls?.enabled !== true || isInUse) return undefined
  const key = { namespace, name: serviceNames.clusterSecret(name) }
  try {
    await reads.refresh(Secret, key)
  } catch (error) {
    if (!isApiError(error)) throw error
    return { unknown: error.message }
  }
  const live = reads.get(Secret, key)
  const leaves = live && whyItLeaves(live, object)
  return leaves === undefined
    ? { known: live !== undefined }
    : { unknown: `Secret ${printKey(key)} ${leaves}: it is waited for until it is gone, and then made anew` }
}

/** Replicas that are made with a secret that goes would never start again. */
const whyItLeaves = (secret: KubeObject, service: LedgerService): string | undefined => {
  if (isTerminating(secret)) return 'is being deleted'
  const isFormer = secret.metadata.ownerReferences?.some(
    ({ kind, controller, uid }) => kind === LedgerService.kind && controller === true && uid !== service.metadata.uid,
  )
  return isFormer === true ? 'belongs to a former service of this name' : undefined
}

/** The agents whose selector matches the service, and that are to stay, each with its keys. */
const agentsOf = (
  service: LedgerService,
  list: KeyList | undefined,
  means: Means,
): Promise<readonly MatchedAgent[]> => {
  const { reads, operatorNamespace } = means
  const listed = new Set(keysListedIn(list?.data ?? {}).map(({ agent }) => agent))
  const matched = reads
    .list<LedgerClusterAgent>(LedgerClusterAgent)
    .filter((agent) => !isTerminating(agent) && (isMatchedBy(agent, service) || isStillMatched(agent, listed)))
    .sort((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))
  return Promise.all(
    matched.map(async (object) => {
      // Only there are keys: all else with this label is a copy, and anybody's.
      const secrets = reads
        .find(Secret, 'agent', object.metadata.name)
        .filter(({ metadata }) => metadata.namespace === operatorNamespace)
      return { object, secrets: await digestedAll(secrets, means) }
    }),
  )
}

/** While a selector means nothing, what it meant before is the best that we know. */
const isStillMatched = ({ spec, metadata }: LedgerClusterAgent, listed: ReadonlySet<string>): boolean =>
  'fault' in matcherOf(spec?.selector ?? {}) && listed.has(metadata.name)

export const isMatchedBy = ({ spec }: LedgerClusterAgent, { metadata }: LedgerService): boolean => {
  const matcher = matcherOf(spec?.selector ?? {})
  return 'matches' in matcher && matcher.matches(metadata.labels ?? {})
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
