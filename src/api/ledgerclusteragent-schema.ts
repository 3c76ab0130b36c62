import { z } from 'zod'
import type { LabelSelector } from '../pure/label-selector.ts'
import { conditions, coreType } from './define-kind.ts'

const target = z.object({
  namespace: z.string(),
  ready: z.boolean().describe('Whether the namespace has the key.'),
  reason: z.string().optional().describe('Why not, in a word; see the runbook.'),
})
const objectRef = z.object({ namespace: z.string(), name: z.string() })

export const spec = z.object({
  selector: coreType<LabelSelector>('LabelSelector').describe(
    'LedgerServices that accept tokens signed by this agent, by their labels. An empty selector matches every service.',
  ),
  scopes: z.array(z.string()).optional().describe('Scopes that a token of this agent may carry, such as ledger:read.'),
  god: z.boolean().optional().describe('Lets the agent sign tokens that carry the god claim.'),
  additionalNamespaces: z
    .array(z.string())
    .optional()
    .describe('Namespaces that get a copy of the key besides those of the matched services.'),
})

export const status = z.object({
  phase: z.string().optional().describe('Pending, Ready or Error; the Ready condition says why.'),
  keyID: z
    .string()
    .optional()
    .describe('Id of the current key: the first 8 bytes of the SHA-256 of its public key, in hex.'),
  distributedSecretRefs: z.array(objectRef).optional().describe('Secrets that hold the current key, by namespace.'),
  matchedServices: z.array(objectRef).optional().describe('LedgerServices that the selector matches, in order.'),
  targets: z
    .array(target)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['namespace'] })
    .describe('The namespaces that the key goes to, and whether it is there.'),
  observedGeneration: z.int().optional().describe('Generation of the spec that this status speaks of.'),
  conditions: conditions().describe(
    'Ready and SelectorResolved; ScopesUsable, Collected and Paused when there is something to say.',
  ),
})

export type AgentSpec = z.infer<typeof spec>
export type AgentStatus = z.infer<typeof status>
