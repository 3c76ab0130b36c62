import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { LedgerService } from '../../src/api/ledgerservice.ts'
import type { LiveWorkload } from '../../src/controllers/ledgerservice/observed.ts'
import type { Condition } from '../../src/pure/conditions.ts'
import type { KeyList } from '../../src/pure/key-list.ts'
import { withoutStamp } from '../../src/pure/key-rollout.ts'
import { Service, ServiceAccount } from '../../src/pure/kind.ts'
import { keysRevisionAnnotation } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { Ledger } from '../kit/ledger.ts'
import { foreignAnnotation } from './faults.ts'

/** The service in a namespace with its objects, as far as they should be the same in every run. */
export const printLedger = async (
  ledger: Ledger,
  agent: LedgerClusterAgent | undefined,
): Promise<readonly unknown[]> => {
  const [service, list, workload] = await Promise.all([ledger.service(), ledger.list(), ledger.workload()])
  const others = await Promise.all([
    ledger.get(ServiceAccount, 'ledger-books'),
    ledger.get(Service, 'ledger-books'),
    ledger.get(Service, 'ledger-books-headless'),
  ])
  return [
    service && printService(service, agent),
    list && printList(list),
    workload && printWorkload(workload),
    ...others.map((other) => other && { kind: other.kind, name: other.metadata.name, ...printMeta(other) }),
  ]
}

const printService = (service: LedgerService, agent: LedgerClusterAgent | undefined) => {
  const { spec, status } = service
  const numberOf = (keyId: string) =>
    agent?.status?.generations?.find(({ keyID }) => keyID === keyId)?.generation ?? Infinity
  return {
    ...printMeta(service),
    spec,
    status: {
      ...status,
      // Their own order is that of their ids, which are another in every run.
      authKeys: status?.authKeys?.toSorted((one, other) => numberOf(one.keyID) - numberOf(other.keyID)),
      conditions: printConditions(status?.conditions),
    },
  }
}

/** How often a list has changed is a matter of timing; where it is not, the scenario's end says it. */
const printList = ({ data, ...list }: KeyList) => {
  const { annotations, ...meta } = printMeta(list)
  const { [keysRevisionAnnotation]: _, ...others } = annotations
  return { ...meta, annotations: others, data }
}

const printWorkload = (workload: LiveWorkload) => {
  const { generation: _, ...meta } = printMeta(workload)
  const { replicas, template } = workload.spec ?? {}
  return { ...meta, replicas, annotations: withoutStamp(template?.metadata?.annotations ?? {}) }
}

export const printConditions = (conditions: readonly Condition[] | undefined) =>
  conditions?.map(({ lastTransitionTime: _, ...condition }) => condition)

export const printMeta = ({ metadata }: KubeObject) => {
  const { [foreignAnnotation]: _touched, 'holdfast.dev/applied': applied, ...annotations } = metadata.annotations ?? {}
  const { labels, finalizers, generation, deletionTimestamp } = metadata
  const isTerminating = deletionTimestamp !== undefined
  return { labels, finalizers, generation, annotations, isApplied: applied !== undefined, isTerminating }
}
