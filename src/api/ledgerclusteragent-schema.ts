import { z } from 'zod'
import { longestSpan } from '../pure/duration.ts'
import type { LabelSelector } from '../pure/label-selector.ts'
import { bounded, conditions, coreType, longestText, ruled } from './define-kind.ts'

const target = z.object({
  namespace: z.string(),
  ready: z.boolean().describe('Whether the namespace has the key.'),
  reason: z.string().optional().describe('Why not, in a word; see the runbook.'),
})
const objectRef = z.object({ namespace: z.string(), name: z.string() })

const generation = z.object({
  generation: z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Counts the keys of this agent.'),
  keyID: z.string(),
  state: z
    .enum(['Minted', 'Current', 'Retiring', 'Draining', 'Revoked'])
    .describe('Made, but not used yet; used; still accepted; on its way out; taken back.'),
  made: z.string().optional().meta({ format: 'date-time' }).describe('When the key was made.'),
  since: z.string().optional().meta({ format: 'date-time' }).describe('Since when it has been in this state.'),
  retiresAt: z.string().optional().meta({ format: 'date-time' }).describe('Until when it is accepted at least.'),
})

const span = () =>
  z
    .string()
    .regex(/^([0-9]+(d|h|m|s))+$/)
    .max(longestSpan)

const secondsIn = (unit: string, factor: number): string =>
  `self.findAll('[0-9]+${unit}').map(part, int(part.substring(0, part.size() - 1)) * ${factor}).sum()`

/** A number of seven digits is more than an hour in any unit, and longer ones are more than an integer holds. */
const atLeastAnHour = {
  rule: `self.matches('[1-9][0-9]{6,}[dhms]') || ${[
    secondsIn('d', 86_400),
    secondsIn('h', 3600),
    secondsIn('m', 60),
    secondsIn('s', 1),
  ].join(' + ')} >= 3600`,
  message: 'every must be at least 1h',
}

const rotation = z
  .object({
    every: ruled(span(), atLeastAnHour)
      .optional()
      .describe('How old a key may become before it is exchanged, such as 90d; at least 1h. Absent: any age.'),
    overlap: span().optional().describe('For how long the former key is accepted beside the new one; 7d if absent.'),
  })
  .optional()
  .describe('When the key is exchanged, and how.')

const agentSpec = z.object({
  selector: bounded(coreType<LabelSelector>('LabelSelector'), 1024).describe(
    'LedgerServices that accept tokens signed by this agent, by their labels. An empty selector matches every service.',
  ),
  scopes: z
    .array(z.string().max(1024))
    .optional()
    .describe('Scopes that a token of this agent may carry, such as ledger:read.'),
  god: z.boolean().optional().describe('Lets the agent sign tokens that carry the god claim.'),
  additionalNamespaces: z
    .array(z.string().max(253))
    .optional()
    .describe('Namespaces that get a copy of the key besides those of the matched services.'),
  rotation,
})

export const spec = bounded(agentSpec, longestText)

const count = (what: string) =>
  z.int().optional().describe(`How many ${what} there are, where they are not all listed.`)

export const status = z.object({
  phase: z.string().optional().describe('Pending, Ready or Error; the Ready condition says why.'),
  keyID: z
    .string()
    .optional()
    .describe('Id of the current key: the first 8 bytes of the SHA-256 of its public key, in hex.'),
  distributedSecretRefs: z
    .array(objectRef)
    .optional()
    .describe(
      'Secrets that hold the current key, by namespace: 100 of them, and all that are outside the watched namespaces.',
    ),
  distributedSecretCount: count('such Secrets'),
  matchedServices: z
    .array(objectRef)
    .optional()
    .describe('LedgerServices that the selector matches, in order: the first 100.'),
  matchedServiceCount: count('matched services'),
  orphanedServices: z
    .array(objectRef)
    .optional()
    .describe(
      'LedgerServices that matched, are gone, and whose pods still run with keys of this agent, in order: the first 100.',
    ),
  targets: z
    .array(target)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['namespace'] })
    .describe('The namespaces that the key goes to, and whether it is there: 100 of them, first those without it.'),
  targetCount: count('targets'),
  generations: z
    .array(generation)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['generation'] })
    .describe('The keys of the agent, from the oldest on: the newest 100, first those that are not revoked.'),
  generationCount: count('keys'),
  keyMade: z.string().optional().meta({ format: 'date-time' }).describe('When the current key was made.'),
  observedGeneration: z.int().optional().describe('Generation of the spec that this status speaks of.'),
  conditions: conditions().describe(
    'Ready and SelectorResolved; ScopesUsable, ServicesUsable, Collected, RotationComplete, RevocationComplete and Paused when there is something to say.',
  ),
})

export type AgentSpec = z.infer<typeof spec>
export type AgentStatus = z.infer<typeof status>
