import { z } from 'zod'
import { conditions, int32 } from '../define-kind.ts'

const endpoints = z.object({
  grpc: z.string().describe('Address for gRPC.'),
  http: z.string().describe('URL for HTTP.'),
  external: z.boolean().describe('Whether these can be reached from outside the cluster.'),
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
  conditions: conditions().describe('Ready, ConfigValid, and what else there is to say.'),
})
