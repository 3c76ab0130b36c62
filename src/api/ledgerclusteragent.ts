import { z } from 'zod'
import type { Condition } from '../pure/conditions.ts'
import type { KubeObject } from '../pure/object.ts'
import { coreType, type KindDefinition } from './define-kind.ts'

const objectRef = z.object({ namespace: z.string(), name: z.string() })

const spec = z.object({
  selector: coreType('LabelSelector').describe(
    'LedgerServices that accept tokens signed by this agent, by their labels. An empty selector matches every service. Not evaluated by this version.',
  ),
  scopes: z.array(z.string()).optional().describe('Scopes that a token of this agent may carry, such as ledger:read.'),
  god: z.boolean().optional().describe('Lets the agent sign tokens that carry the god claim.'),
  additionalNamespaces: z
    .array(z.string())
    .optional()
    .describe('Namespaces that get a copy of the key besides those of the matched services.'),
})

const status = z.object({
  phase: z.string().optional().describe('Pending, Ready or Error; the Ready condition says why.'),
  keyID: z
    .string()
    .optional()
    .describe('Id of the current key: the first 8 bytes of the SHA-256 of its public key, in hex.'),
  distributedSecretRefs: z.array(objectRef).optional().describe('Secrets that hold the current key, by namespace.'),
  matchedServices: z.array(objectRef).optional().describe('LedgerServices that the selector matches.'),
  observedGeneration: z.int().optional().describe('Generation of the spec that this status speaks of.'),
  conditions: z
    .array(coreType('Condition'))
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .describe('Ready, and SelectorResolved.'),
})

const readyColumn = '.status.conditions[?(@.type=="Ready")]'

/** An identity that signs tokens for ledgers: one key pair, kept for good and handed to the namespaces that use it. */
export const LedgerClusterAgent = {
  group: 'ledger.formance.com',
  version: 'v1alpha1',
  kind: 'LedgerClusterAgent',
  plural: 'ledgerclusteragents',
  singular: 'ledgerclusteragent',
  shortNames: ['lca'],
  namespaced: false,
  isCustom: true,
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
    {
      name: 'Ready',
      type: 'string',
      jsonPath: `${readyColumn}.status`,
      description: 'Whether every target has the key.',
    },
    { name: 'Reason', type: 'string', jsonPath: `${readyColumn}.reason`, description: 'Why, in a word.' },
    {
      name: 'Since',
      type: 'date',
      jsonPath: `${readyColumn}.lastTransitionTime`,
      description: 'Since when.',
      priority: 1,
    },
  ],
} as const satisfies KindDefinition

export interface LedgerClusterAgent extends KubeObject {
  readonly spec?: z.infer<typeof spec>
  readonly status?: Omit<z.infer<typeof status>, 'conditions'> & { readonly conditions?: readonly Condition[] }
}

export type AgentPhase = 'Pending' | 'Ready' | 'Error'

/**
 * Why an agent is ready or not; each has an entry in docs/runbook.md.
 * @internal
 */
export const agentReasons = [
  'KeyPairReady',
  'NoTargets',
  'NamespaceMissing',
  'NamespaceTerminating',
  'OutOfScope',
  'ForeignSecret',
  'SecretUnreadable',
  'CanonicalLost',
  'CanonicalInvalid',
  'Distributing',
  'Deleting',
] as const

export type AgentReason = (typeof agentReasons)[number]
