import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import type { Reads } from '../../kube/reads.ts'
import { labelled, type View } from '../../kube/view.ts'
import { type KeyList, keysListedIn, type ListedKey } from '../../pure/key-list.ts'
import { type Consumption, hasRolledOut, loadableOf, stampOfPods, type Workload } from '../../pure/key-rollout.ts'
import { ConfigMap, StatefulSet } from '../../pure/kind.ts'
import { matcherOf } from '../../pure/label-selector.ts'
import { type GuardedSpec, isAuthOn } from '../../pure/ledger-auth.ts'
import { claimAnnotation, serviceNames } from '../../pure/names.ts'
import { keyOf, type KubeObject, type ObjectKey, printKey } from '../../pure/object.ts'
import { isPaused } from '../../pure/pause.ts'
import type { Listing, Observed, SeenConsumer } from './observed.ts'

/** A service as far as agents are concerned with it. */
interface SeenService extends KubeObject {
  readonly spec?: GuardedSpec & { readonly auth?: { readonly scopeMapping?: Readonly<Record<string, unknown>> } }
  readonly status?: { readonly authKeys?: readonly { readonly agent: string; readonly keyID: string }[] }
}

export const serviceView: View<SeenService> = {
  kind: LedgerService,
  choice: {},
  extent: 'whole',
  project: ({ spec, status, ...object }) => ({
    ...slim(object),
    spec: { auth: { enabled: isAuthOn(spec ?? {}), scopeMapping: spec?.auth?.scopeMapping ?? {} } },
    status: { authKeys: (status?.authKeys ?? []).map(({ agent, keyID }) => ({ agent, keyID })) },
  }),
  indexes: {
    namespace: ({ metadata }) => [metadata.namespace ?? ''],
    key: (service) => [printKey(keyOf(service))],
    agent: (service) => agentsToldBy(service),
  },
}

/** Who wrote what is most of an object, and of no use here. */
const slim = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { ...metadata, managedFields: [] },
})

/** The agents whose keys a service says that its pods have, or may have. */
const agentsToldBy = ({ status }: SeenService): readonly string[] => [
  ...new Set((status?.authKeys ?? []).map(({ agent }) => agent)),
]

interface SeenKeyList extends KeyList {
  readonly listed?: readonly ListedKey[]
  /** What pods load of it. */
  readonly loadable?: Consumption['list']
}

/** The services' key lists: whose keys are in them, and not the keys. */
export const keyListView: View<SeenKeyList> = {
  kind: ConfigMap,
  choice: labelled(serviceNames.managedBy),
  extent: 'whole',
  project: (list) => ({ ...slim(list), listed: keysListedIn(list.data ?? {}), loadable: loadableOf(list) }),
  indexes: { agent: (list) => agentsIn(list), service: (list) => servicesOf(list).map(printKey) },
}

/** The services' workloads: what tells which keys their pods have loaded. */
export const workloadView: View<Workload> = {
  kind: StatefulSet,
  choice: labelled(serviceNames.managedBy),
  extent: 'whole',
  project: ({ spec, status, ...object }) => ({
    ...slim(object),
    spec: {
      replicas: spec?.replicas ?? 1,
      template: {
        metadata: { annotations: spec?.template?.metadata?.annotations ?? {} },
        spec: { volumes: (spec?.template?.spec?.volumes ?? []).map(({ name }) => ({ name })) },
      },
    },
    status: status ?? {},
  }),
  indexes: {},
}

/** The service that a list belongs to, by its name. */
const servicesOf = ({ metadata: { namespace, name } }: KubeObject): readonly ObjectKey[] =>
  serviceNames.ofKeyList(name).map((service) => ({ namespace, name: service }))

export const agentsIn = ({ listed = [] }: SeenKeyList): readonly string[] => listed.map(({ agent }) => agent)

/** The services that the agent's selector matches, also those that are going. */
export const matchedBy = ({ spec }: LedgerClusterAgent, reads: Reads): Observed['matched'] => {
  const matcher = matcherOf(spec?.selector ?? {})
  if ('fault' in matcher) return matcher
  const services = reads
    .list<SeenService>(LedgerService)
    .filter(({ metadata }) => matcher.matches(metadata.labels ?? {}))
    .sort((a, b) => (printKey(keyOf(a)) < printKey(keyOf(b)) ? -1 : 1))
    .map((service) => ({
      namespace: service.metadata.namespace ?? '',
      name: service.metadata.name,
      mappedScopes: Object.keys(service.spec?.auth?.scopeMapping ?? {}),
      isAuthOn: service.spec?.auth?.enabled === true,
    }))
  return { services }
}

/** The agents whose selector matches the service. */
export const agentsThatSelect = ({ metadata }: KubeObject, cluster: Pick<Reads, 'list'>): readonly string[] =>
  cluster
    .list<LedgerClusterAgent>(LedgerClusterAgent)
    .filter(({ spec }) => {
      const matcher = matcherOf(spec?.selector ?? {})
      return 'matches' in matcher && matcher.matches(metadata.labels ?? {})
    })
    .map((agent) => agent.metadata.name)

/** The agents that a service has to do with: it shall accept their keys, it lists one, or its pods may still have one. */
export const agentsConcernedBy = (service: SeenService, cluster: Pick<Reads, 'list' | 'find'>): readonly string[] => [
  ...agentsThatSelect(service, cluster),
  ...agentsToldBy(service),
  ...cluster.find<SeenKeyList>(ConfigMap, 'service', printKey(keyOf(service))).flatMap(agentsIn),
]

/** The services that list a key of this agent. A list without a service is nobody's, and says nothing. */
export const listingsOf = (agent: string, reads: Reads, operatorNamespace: string): readonly Listing[] => {
  const lists = reads.find<SeenKeyList>(ConfigMap, 'agent', agent)
  if (lists.length === 0) return []
  const services = new Set(reads.list(LedgerService).map((service) => printKey(keyOf(service))))
  return lists.flatMap((list) => {
    const keys = (list.listed ?? []).filter((key) => key.agent === agent)
    return servicesOf(list)
      .filter((service) => services.has(printKey(service)))
      .flatMap((service) => {
        const isOutOfReach = !isWithinReach(reads.get(LedgerService, service), operatorNamespace)
        return keys.map(({ keyId }) => ({ service, keyId, isOutOfReach }))
      })
  })
}

const isWithinReach = (service: KubeObject | undefined, operatorNamespace: string): boolean => {
  const claim = service?.metadata.annotations?.[claimAnnotation] ?? operatorNamespace
  return service !== undefined && !isPaused(service) && claim === operatorNamespace
}

/**
 * Services that the agent matched, that are gone and have left pods with keys behind. Only the agent's status remembers
 * them: of a workload without a service anybody may say that it was one.
 */
const orphansOf = ({ status }: LedgerClusterAgent, reads: Reads): readonly ObjectKey[] => {
  const known = [...(status?.matchedServices ?? []), ...(status?.orphanedServices ?? [])]
  const distinct = new Map(known.map(({ namespace, name }) => [printKey({ namespace, name }), { namespace, name }]))
  return [...distinct.values()].filter((service) => {
    if (reads.get(LedgerService, service) !== undefined) return false
    const workload = reads.get<Workload>(StatefulSet, { ...service, name: serviceNames.workload(service.name) })
    return workload !== undefined && stampOfPods(workload) !== undefined
  })
}

/**
 * How far the agent's keys have come with the services that it matches, with those that still list one, and with those
 * whose pods may still have one.
 */
export const consumersOf = (
  object: LedgerClusterAgent,
  { matched, listings }: Pick<Observed, 'matched' | 'listings'>,
  reads: Reads,
): readonly SeenConsumer[] => {
  const agent = object.metadata.name
  const served = 'services' in matched ? matched.services : []
  const isMatched = new Set(served.map(printKey))
  const authOn = new Set(served.filter((service) => service.isAuthOn).map(printKey))
  const telling = reads.find<SeenService>(LedgerService, 'agent', agent)
  const toldBy = (name: string) =>
    telling
      .filter((service) => printKey(keyOf(service)) === name)
      .flatMap(({ status }) => status?.authKeys ?? [])
      .map(({ keyID }) => keyID)
  const orphans = orphansOf(object, reads)
  const isOrphaned = new Set(orphans.map(printKey))
  const concerned = [...served, ...listings.map(({ service }) => service), ...telling.map(keyOf), ...orphans]
  const named = new Map(concerned.map((key) => [printKey(key), key]))
  return [...named].map(([name, { namespace, name: service }]) => {
    const [list] = reads.find<SeenKeyList>(ConfigMap, 'service', name)
    const workload = reads.get<Workload>(StatefulSet, { namespace, name: serviceNames.workload(service) })
    return {
      service: { namespace, name: service },
      // Pods that were made with keys ask for tokens, whatever the service says by now.
      isServed: authOn.has(name) || (isMatched.has(name) && mayHaveKeys(list, workload)),
      list: list?.loadable,
      workload,
      told: new Set(toldBy(name)),
      isOrphaned: isOrphaned.has(name),
    }
  })
}

/** Whether a pod was made with keys, which stays so until the last of those is gone. */
const mayHaveKeys = (list: SeenKeyList | undefined, workload: Workload | undefined): boolean =>
  workload !== undefined && (stampOfPods(workload) !== undefined || (list !== undefined && !hasRolledOut(workload)))
