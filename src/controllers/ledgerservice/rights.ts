import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import { ConfigMap, Pod, Secret, Service, ServiceAccount, StatefulSet } from '../../pure/kind.ts'
import type { Right } from '../../pure/rights.ts'

/** What the keeper of services does to the cluster. */
export const rights: readonly Right[] = [
  { kind: LedgerService, verbs: ['get', 'list', 'watch', 'patch'], where: 'watched' },
  { kind: LedgerService, subresource: 'status', verbs: ['patch'], where: 'watched' },
  { kind: LedgerClusterAgent, verbs: ['get', 'list', 'watch'], where: 'cluster' },
  // The agents' keys, and the secret by which replicas know each other.
  { kind: Secret, verbs: ['get', 'list', 'watch', 'create'], where: 'watched' },
  { kind: Secret, verbs: ['get', 'list', 'watch'], where: 'own' },
  { kind: ConfigMap, verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'], where: 'watched' },
  { kind: StatefulSet, verbs: ['get', 'list', 'watch', 'create', 'patch'], where: 'watched' },
  { kind: Service, verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'], where: 'watched' },
  { kind: ServiceAccount, verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'], where: 'watched' },
  { kind: Pod, verbs: ['list', 'watch'], where: 'watched' },
]
