import { z } from 'zod'

const flag = (description: string) => z.boolean().optional().describe(description)

/** What the ledger says of itself, and the modes that it runs in. */
export const modeFields = {
  debug: flag('Logs as logLevel debug does, unless logLevel is set.'),
  logLevel: z.enum(['trace', 'debug', 'info', 'error']).optional().describe('From which level on messages are logged.'),
  restore: flag('Starts the ledger to take in a backup.'),
  admissionMetrics: flag('Measures how requests are admitted.'),
  metricsNaming: z
    .enum(['otel', 'prom'])
    .optional()
    .describe('Whether metrics have OpenTelemetry or Prometheus names.'),
  sentinelMode: flag('Checks that volumes are consistent while the ledger runs.'),
  grpcCompression: flag('Compresses gRPC calls.'),
  unsafeSkipConfigValidation: flag('Starts a replica even on data of another cluster or replica; dangerous.'),
  hashAlgorithm: z
    .enum(['blake3', 'xxh3'])
    .optional()
    .describe('How the chain of entries is hashed: xxh3 is faster, but no protection against forgery.'),
}
