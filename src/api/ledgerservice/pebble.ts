import { z } from 'zod'
import { int32, quantity } from '../define-kind.ts'

const valueSeparation = z.object({
  enabled: z.boolean().optional().describe('Whether large values are kept apart from their keys.'),
  minSize: quantity().optional().describe('From which size on a value is kept apart.'),
  maxDepth: int32().optional().describe('How deep a table may refer to files of values, at most.'),
  rewriteAge: z.string().optional().describe('How old a file of values must be before it is rewritten.'),
  garbageRatio: z.string().optional().describe('Share of dead values from which on a file is rewritten, such as 0.2.'),
})

const fields = z.object({
  memTableSize: quantity().optional().describe('Size of a table in memory before it is written out.'),
  memTableStopWritesThreshold: int32().optional().describe('How many tables may wait in memory before writes stop.'),
  l0CompactionThreshold: int32().optional().describe('How many files of level 0 start a compaction.'),
  l0StopWritesThreshold: int32().optional().describe('How many files of level 0 stop writes.'),
  lBaseMaxBytes: quantity().optional().describe('Size of the base level, at most.'),
  cacheSize: quantity().optional().describe('Size of the block cache.'),
  targetFileSize: quantity().optional().describe('Size that files of a level should have.'),
  bytesPerSync: quantity().optional().describe('How much of a table is written between two syncs.'),
  walBytesPerSync: quantity().optional().describe('How much of the log is written between two syncs.'),
  maxConcurrentCompactions: int32().optional().describe('How many compactions run at once, at most.'),
  walMinSyncInterval: z.string().optional().describe('Shortest time between two syncs of the log.'),
  disableWAL: z.boolean().optional().describe('Writes no log; a crash loses what was in memory.'),
  incrementalCompactThreshold: z.int().optional().describe('How many new entries start a compaction of their range.'),
  maxCheckpoints: int32().optional().describe('How many checkpoints are kept.'),
  compression: z
    .string()
    .optional()
    .describe('How each level is compressed, from the first to the last, with commas between.'),
  valueSeparation: valueSeparation.optional().describe('Large values apart from their keys.'),
})

export const pebble = fields.optional().describe('Storage engine of the ledger’s data.')

export const readIndex = z
  .object({
    batchSize: int32().optional().describe('How many entries are indexed at once.'),
    pebble: fields.optional().describe('Storage engine of the index.'),
  })
  .optional()
  .describe('Index that queries are answered from.')
