import { z } from 'zod'
import { int32 } from '../define-kind.ts'

/** Thresholds, lifetimes and sizes of the ledger as a whole. */
export const limitFields = {
  queryProfileThreshold: z.string().optional().describe('Queries that take longer are profiled, such as 500ms.'),
  grpcSlowThreshold: z.string().optional().describe('Calls that take longer are logged as slow, such as 1s.'),
  idempotencyTTL: z.string().optional().describe('How long an idempotency key is remembered, such as 24h.'),
  idempotencyEvictionInterval: z.string().optional().describe('How often forgotten idempotency keys are cleared away.'),
  numscriptCacheSize: int32().optional().describe('How many compiled scripts are kept in memory.'),
  mirrorMaxBatchSize: int32().optional().describe('How many entries a mirror takes over at once, at most.'),
  maxExecutionPlanSize: int32().optional().describe('How many steps one request may have, at most.'),
}
