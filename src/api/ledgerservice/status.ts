import { z } from 'zod'
import { conditions, int32 } from '../define-kind.ts'

const endpoints = z.object({
  grpc: z.string().describe('Address for gRPC.'),
  http: z.string().describe('URL for HTTP.'),
  external: z.boolean().describe('Whether these can be reached from outside the cluster.'),
})

const authKey = z.object({
  agent: z.string().describe('The agent that it belongs to.'),
  keyID: z.string(),
  state: z
    .enum(['Published', 'Loaded', 'Draining'])
    .describe('Listed; with every replica; or not listed any more, but maybe still with a replica.'),
})

export const status = z.object({
  phase: z.string().optional().describe('Pending, Running, Degraded or Error; the conditions say why.'),
  readyReplicas: int32().optional().describe('How many replicas are ready.'),
  observedGeneration: z.int().optional().describe('Generation of the spec that this status speaks of.'),
  endpoints: endpoints.optional().describe('Where clients reach the ledger.'),
  tlsMigrationPhase: z
    .string()
    .optional()
    .describe('disabled, required, or on the way: transitioning-to-required, transitioning-to-disabled.'),
  authKeys: z
    .array(authKey)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['agent', 'keyID'] })
    .describe('The keys whose tokens are accepted, and how far they have come: 100 of them, first those that drain.'),
  authKeyCount: z.int().optional().describe('How many keys there are, where they are not all listed.'),
  conditions: conditions().describe('Ready, ConfigValid, and what else there is to say.'),
})
