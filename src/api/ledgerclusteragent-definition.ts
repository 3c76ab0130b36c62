import { type KindDefinition, readyColumns } from './define-kind.ts'
import { LedgerClusterAgent } from './ledgerclusteragent.ts'
import { spec, status } from './ledgerclusteragent-schema.ts'

export const ledgerClusterAgentDefinition: KindDefinition = {
  ...LedgerClusterAgent,
  singular: 'ledgerclusteragent',
  shortNames: ['lca'],
  summary:
    'An identity that signs tokens for ledgers: one key pair, kept for good and handed to the namespaces that use it.',
  spec,
  status,
  rules: [
    { rule: 'self.metadata.name.size() <= 63', message: 'the name becomes a label value: at most 63 characters' },
  ],
  columns: [
    { name: 'KeyID', type: 'string', jsonPath: '.status.keyID', description: 'Id of the current key.' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Pending, Ready or Error.' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Since it was created.' },
    { name: 'KeyAge', type: 'date', jsonPath: '.status.keyMade', description: 'Since the current key was made.' },
    ...readyColumns('Ready', 'Whether every target has the key.'),
  ],
}
