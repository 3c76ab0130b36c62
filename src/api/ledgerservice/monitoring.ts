import { z } from 'zod'
import { int32, quantity } from '../define-kind.ts'

const text = (description: string) => z.string().optional().describe(description)
const flag = (description: string) => z.boolean().optional().describe(description)

const exported = (what: string) => ({
  enabled: flag(`Whether ${what} are sent.`),
  exporter: text(`How ${what} are sent, such as otlp.`),
  endpoint: text('Host of the collector.'),
  port: text('Port of the collector.'),
  insecure: text('Whether the connection goes without TLS: true or false.'),
  mode: text('Protocol of the connection: grpc or http.'),
})

const sampling = z.object({
  enabled: flag('Whether only some of the traces without an error are kept.'),
  successRatio: text('Share of these that is kept, from 0 to 1.'),
})

const traces = z.object({
  ...exported('traces'),
  batch: text('Whether traces are sent in batches: true or false.'),
  sampling: sampling.optional().describe('Which traces are kept.'),
})

const metrics = z.object({
  ...exported('metrics'),
  keepInMemory: flag('Whether metrics are kept in memory.'),
  exporterPushInterval: text('How often metrics are sent.'),
  runtime: flag('Whether metrics of the Go runtime are among them.'),
  runtimeMinimumReadMemStatsInterval: text('Shortest time between two looks at the runtime’s memory.'),
})

const logs = z.object({ ...exported('logs'), level: text('From which level on messages are sent.') })

const pyroscope = z.object({
  enabled: flag('Whether profiles are sent.'),
  serverAddress: text('URL of the Pyroscope server.'),
  applicationName: text('Name under which profiles are filed.'),
  authToken: text('Token for the server, readable by everyone who may read this object.'),
  tenantId: text('Tenant at the server.'),
  basicAuthUser: text('User name at the server.'),
  basicAuthPassword: text('Password at the server, readable by everyone who may read this object.'),
  uploadRate: text('How often profiles are sent.'),
  tags: text('Tags of the profiles, as key=value with commas between.'),
  profileTypes: text('Which profiles are taken, with commas between.'),
  mutexProfileFraction: int32().optional().describe('One in how many waits for a lock is profiled.'),
  blockProfileRate: int32().optional().describe('One blocking event in how many nanoseconds is profiled.'),
  disableGCRuns: flag('Takes heap profiles without a garbage collection before.'),
})

const flightRecorder = z.object({
  enabled: flag('Whether the last moments are recorded.'),
  minAge: text('How far back the record goes, at least.'),
  maxBytes: quantity().optional().describe('Size of the record, at most.'),
})

export const monitoring = z
  .object({
    serviceName: z.string().default('ledger').describe('Name under which the ledger is seen.'),
    attributes: text('Attributes of everything that is sent, as key=value with commas between.'),
    traces: traces.optional().describe('Traces by OpenTelemetry.'),
    metrics: metrics.optional().describe('Metrics by OpenTelemetry.'),
    logs: logs.optional().describe('Logs by OpenTelemetry.'),
    pyroscope: pyroscope.optional().describe('Continuous profiles.'),
    flightRecorder: flightRecorder.optional().describe('Record of the last moments of the Go runtime.'),
  })
  .optional()
  .describe('What the ledger tells of itself, and to whom.')
