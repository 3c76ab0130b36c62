import { type KindDefinition, readyColumns } from './define-kind.ts'
import { LedgerService } from './ledgerservice.ts'
import { spec, status } from './ledgerservice-schema.ts'

export const ledgerServiceDefinition: KindDefinition = {
  ...LedgerService,
  singular: 'ledgerservice',
  shortNames: ['lsvc'],
  summary:
    'A ledger: a cluster of replicas that agree by Raft, with their volumes and the ways to reach them. It accepts tokens that are signed with the keys of the agents whose selectors match its labels.',
  spec,
  status,
  rules: [],
  columns: [
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'How many replicas are wanted.' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas', description: 'How many replicas are ready.' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Pending, Running, Degraded or Error.' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Since it was created.' },
    ...readyColumns('AllReady', 'Whether all replicas are ready.'),
  ],
}
