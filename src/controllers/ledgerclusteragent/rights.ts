import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { LedgerService } from '../../api/ledgerservice.ts'
import { ConfigMap, Namespace, Secret, StatefulSet } from '../../pure/kind.ts'
import type { Right } from '../../pure/rights.ts'

const secretVerbs = ['get', 'list', 'watch', 'create', 'patch', 'delete'] as const

/** What the keeper of agent keys does to the cluster. */
export const rights: readonly Right[] = [
  { kind: LedgerClusterAgent, verbs: ['get', 'list', 'watch', 'patch'], where: 'cluster' },
  { kind: LedgerClusterAgent, subresource: 'status', verbs: ['patch'], where: 'cluster' },
  // RBAC cannot tell a Secret's metadata from its content.
  { kind: Secret, verbs: secretVerbs, where: 'watched' },
  { kind: Secret, verbs: secretVerbs, where: 'own' },
  { kind: LedgerService, verbs: ['list', 'watch'], where: 'watched' },
  // The services' key lists, and what tells who has loaded them.
  { kind: ConfigMap, verbs: ['list', 'watch'], where: 'watched' },
  { kind: StatefulSet, verbs: ['list', 'watch'], where: 'watched' },
  { kind: Namespace, verbs: ['get', 'list', 'watch'], where: 'cluster' },
]
