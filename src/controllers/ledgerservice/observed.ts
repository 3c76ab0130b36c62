import { LedgerService } from '../../api/ledgerservice.ts'
import type { KeyList } from '../../pure/key-list.ts'
import type { Workload } from '../../pure/key-rollout.ts'
import type { Known } from '../../pure/known.ts'
import { withEntriesApplied } from '../../pure/managed-fields.ts'
import { claimAnnotation, serviceSuccession } from '../../pure/names.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../pure/object.ts'
import type { MatchedAgent } from './agent-entries.ts'
import type { CompleteService } from './defaults.ts'
import type { KeySight } from './key-wish.ts'
import { isOurs } from './ownership.ts'

interface LiveContainer {
  readonly name: string
  readonly command?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
}

/** A service's StatefulSet as it is. */
export interface LiveWorkload extends Workload {
  readonly spec?: NonNullable<Workload['spec']> & {
    readonly selector?: object
    readonly serviceName?: string
    readonly podManagementPolicy?: string
    readonly volumeClaimTemplates?: readonly object[]
    readonly template?: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
      readonly spec?: {
        readonly serviceAccountName?: string
        readonly containers?: readonly LiveContainer[]
        readonly volumes?: readonly { readonly name: string }[]
      }
    }
  }
}

export interface LiveService extends KubeObject {
  readonly spec?: { readonly clusterIP?: string }
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number }
}

/** A replica's pod, as far as it tells why it is not ready. */
export interface SeenPod extends KubeObject {
  readonly status?: {
    readonly phase?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
      readonly message?: string
    }[]
    readonly containerStatuses?: readonly {
      readonly name: string
      readonly state?: ContainerState
      readonly lastState?: ContainerState
    }[]
  }
}

/** What is there at the names of a service's objects. */
export interface LiveChildren {
  readonly account: KubeObject | undefined
  readonly headless: LiveService | undefined
  readonly service: LiveService | undefined
  readonly list: KeyList | undefined
  readonly workload: LiveWorkload | undefined
  /** ServiceAccounts that are labelled as this service's, and that it does not ask for any more. */
  readonly formerAccounts: readonly KubeObject[]
}

/** All that the decision on one service needs. No key material is in here. */
export interface Observed {
  readonly object: LedgerService
  readonly operatorNamespace: string
  /** With all that its workload needs filled in. */
  readonly complete: CompleteService
  readonly children: LiveChildren
  /** Whether the replicas' common secret is there; undefined while nobody needs to know. */
  readonly clusterSecret: Known<boolean> | undefined
  readonly agents: readonly MatchedAgent[]
  readonly pods: readonly SeenPod[]
  /** Until when a change of the key list waits for others that may come with it. */
  readonly settlesAt: number | undefined
  /** Why the live look that a shorter key list asks for could not be had. */
  readonly doubt: string | undefined
  readonly now: number
}

/** The service's managed fields with what the former operator said in the status as ours; undefined when it is so. */
export const statusTakenOver = ({ object }: Pick<Observed, 'object'>): readonly ManagedFieldsEntry[] | undefined =>
  withEntriesApplied(object.metadata.managedFields, {
    ...serviceSuccession,
    kind: LedgerService,
    subresource: 'status',
  })?.map((entry) => (isOwnStatus(entry) ? withConditionsByType(entry, object) : entry))

const isOwnStatus = ({ manager, subresource }: ManagedFieldsEntry): boolean =>
  manager === serviceSuccession.manager && subresource === 'status'

/** The former operator's definition had conditions as one value: as such, none of them could be taken away. */
const withConditionsByType = (entry: ManagedFieldsEntry, { status }: LedgerService): ManagedFieldsEntry => {
  const { 'f:status': owned = {} } = entry.fieldsV1
  const { 'f:conditions': conditions } = owned
  if (conditions === undefined || Object.keys(conditions).length > 0) return entry
  const byType = (status?.conditions ?? []).map(({ type }) => [`k:${JSON.stringify({ type })}`, { '.': {} }] as const)
  const expanded = { '.': {}, ...Object.fromEntries(byType) }
  return { ...entry, fieldsV1: { ...entry.fieldsV1, 'f:status': { ...owned, 'f:conditions': expanded } } }
}

/** Whether the service carries our claim: before that, nothing is done for it. */
export const isMarked = (observed: Pick<Observed, 'object' | 'operatorNamespace'>): boolean =>
  observed.object.metadata.annotations?.[claimAnnotation] === observed.operatorNamespace &&
  statusTakenOver(observed) === undefined

/** The service's own StatefulSet: what another one of its name does tells nothing. */
export const ownWorkloadOf = ({ children: { workload }, object }: Observed): LiveWorkload | undefined =>
  workload !== undefined && isOurs(workload, object) ? workload : undefined

export const keySightOf = (observed: Observed): KeySight => ({
  serviceUid: observed.object.metadata.uid,
  spec: observed.complete.spec,
  agents: observed.agents,
  list: observed.children.list,
  workload: ownWorkloadOf(observed),
})

/** The value of a variable of the ledger's container. */
export const liveVariable = (workload: LiveWorkload | undefined, name: string): string | undefined =>
  workload?.spec?.template?.spec?.containers
    ?.find((container) => container.name === 'ledger')
    ?.env?.find((variable) => variable.name === name)?.value
