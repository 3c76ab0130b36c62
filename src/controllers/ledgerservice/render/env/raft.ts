import { quantity, type VariableTable } from './variables.ts'

export const cacheTable: VariableTable = {
  variables: { CACHE_ROTATION_THRESHOLD: 'cache.rotationThreshold' },
}

/** How replicas agree. */
export const raftTable: VariableTable = {
  variables: {
    MAINTENANCE_INTERVAL: 'raft.maintenanceInterval',
    RAFT_ELECTION_TICK: 'raft.electionTick',
    RAFT_HEARTBEAT_TICK: 'raft.heartbeatTick',
    RAFT_MAX_SIZE_PER_MSG: quantity('raft.maxSizePerMsg'),
    RAFT_MAX_INFLIGHT_MSGS: 'raft.maxInflightMsgs',
    RAFT_TICK_INTERVAL: 'raft.tickInterval',
    RAFT_PROPOSE_QUEUE_CAPACITY: 'raft.proposeQueueCapacity',
    RAFT_COMPACTION_MARGIN: 'raft.compactionMargin',
    RAFT_REPLAY_BATCH_SIZE: 'raft.replayBatchSize',
    RAFT_PROCESSING_TICK_INTERVAL: 'raft.processingTickInterval',
    LEARNER_PROMOTION_THRESHOLD: 'raft.learnerPromotionThreshold',
    RAFT_TRANSPORT_RECEPTION_QUEUES: 'raft.transport.receptionQueues',
    RAFT_TRANSPORT_SEND_QUEUES: 'raft.transport.sendQueues',
    RAFT_TRANSPORT_BUFFER_SIZE: quantity('raft.transport.bufferSize'),
  },
}

/** How a replica that has fallen behind catches up. */
export const snapshotTable: VariableTable = {
  variables: {
    SNAPSHOT_SESSION_TTL: 'snapshot.sessionTTL',
    SNAPSHOT_PARALLELISM: 'snapshot.parallelism',
    SNAPSHOT_RETRY_COUNT: 'snapshot.retryCount',
    SNAPSHOT_FILE_RETRY_COUNT: 'snapshot.fileRetryCount',
  },
}

export const healthTable: VariableTable = {
  variables: {
    HEALTH_CHECK_INTERVAL: 'health.interval',
    HEALTH_WAL_THRESHOLD: 'health.walThreshold',
    HEALTH_DATA_THRESHOLD: 'health.dataThreshold',
    HEALTH_WAL_RESUME_THRESHOLD: 'health.walResumeThreshold',
    HEALTH_DATA_RESUME_THRESHOLD: 'health.dataResumeThreshold',
    HEALTH_CLOCK_SKEW_THRESHOLD: 'health.clockSkewThreshold',
  },
}
