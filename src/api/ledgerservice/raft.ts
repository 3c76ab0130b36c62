import { z } from 'zod'
import { int32, quantity } from '../define-kind.ts'

const transport = z.object({
  receptionQueues: z.array(int32()).optional().describe('Lengths of the queues of incoming messages, by priority.'),
  sendQueues: z.array(int32()).optional().describe('Lengths of the queues of outgoing messages, by priority.'),
  bufferSize: quantity().optional().describe('Size of the buffer of what is sent to one replica.'),
})

export const raft = z
  .object({
    compactionMargin: int32().optional().describe('How many entries the log keeps behind a snapshot.'),
    maintenanceInterval: z.string().optional().describe('How often a snapshot and a checkpoint are taken.'),
    electionTick: int32().optional().describe('How many ticks without a leader start an election.'),
    heartbeatTick: int32().optional().describe('How many ticks lie between two heartbeats of the leader.'),
    maxSizePerMsg: quantity().optional().describe('Size of one message, at most.'),
    maxInflightMsgs: int32().optional().describe('How many messages may be on their way to one replica.'),
    tickInterval: z.string().optional().describe('How long a tick is, such as 100ms.'),
    proposeQueueCapacity: int32().optional().describe('How many proposals may wait.'),
    learnerPromotionThreshold: int32().optional().describe('How many entries a new replica may lack to get a vote.'),
    replayBatchSize: int32().optional().describe('How many entries are replayed at once at the start.'),
    processingTickInterval: z.string().optional().describe('How often what was agreed on is worked off.'),
    transport: transport.optional().describe('Connections between replicas.'),
  })
  .optional()
  .describe('How replicas agree.')

export const snapshot = z
  .object({
    sessionTTL: z.string().optional().describe('How long a transfer is kept open.'),
    parallelism: int32().optional().describe('How many files are transferred at once.'),
    retryCount: int32().optional().describe('How often a transfer is tried again.'),
    fileRetryCount: int32().optional().describe('How often the transfer of one file is tried again.'),
  })
  .optional()
  .describe('How a replica that has fallen behind catches up.')

export const cache = z
  .object({
    rotationThreshold: int32()
      .min(1)
      .optional()
      .describe('How many entries of the log make the cache begin a new generation.'),
  })
  .optional()
  .describe('Cache of what was read last.')

export const health = z
  .object({
    interval: z.string().optional().describe('How often a replica looks after itself.'),
    walThreshold: z.string().optional().describe('How full the log’s volume may be before writes stop, from 0 to 1.'),
    dataThreshold: z.string().optional().describe('How full the data’s volume may be before writes stop, from 0 to 1.'),
    walResumeThreshold: z
      .string()
      .optional()
      .describe('How full the log’s volume may be for writes to go on; less than walThreshold.'),
    dataResumeThreshold: z
      .string()
      .optional()
      .describe('How full the data’s volume may be for writes to go on; less than dataThreshold.'),
    clockSkewThreshold: z.string().optional().describe('How far the clocks of replicas may be apart.'),
  })
  .optional()
  .describe('When a replica stops to take writes.')
