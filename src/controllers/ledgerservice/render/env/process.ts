import { amountOf } from '../../../../pure/quantity.ts'
import { serviceNames } from '../../../../pure/names.ts'
import { raftPortOf } from '../ports.ts'
import type { VariableTable } from './variables.ts'

/** Who a replica is, where it listens and writes, and how much it logs. */
export const identityTable: VariableTable = {
  variables: {
    BIND_ADDR: 'bindAddr',
    GRPC_PORT: 'grpcPort',
    HTTP_PORT: 'httpPort',
    WAL_DIR: 'walDir',
    DATA_DIR: 'dataDir',
    ADVERTISE_ADDR: {
      of: ['bindAddr'],
      print: ({ name, spec }) =>
        `$(POD_NAME).${serviceNames.headless(name)}.$(POD_NAMESPACE).svc.cluster.local:${raftPortOf(spec.bindAddr)}`,
    },
    CLUSTER_ID: 'clusterID',
    DEBUG: { of: ['debug'], print: ({ spec }) => String(spec.debug ?? false) },
    LOG_LEVEL: 'logLevel',
  },
}

/** How the process as a whole behaves. */
export const processTable: VariableTable = {
  variables: {
    ADMISSION_METRICS: 'admissionMetrics',
    METRICS_NAMING: 'metricsNaming',
    SENTINEL_MODE: 'sentinelMode',
    GRPC_COMPRESSION: 'grpcCompression',
    QUERY_PROFILE_THRESHOLD: 'queryProfileThreshold',
    GRPC_SLOW_THRESHOLD: 'grpcSlowThreshold',
    NUMSCRIPT_CACHE_SIZE: 'numscriptCacheSize',
    MIRROR_MAX_BATCH_SIZE: 'mirrorMaxBatchSize',
    MAX_EXECUTION_PLAN_SIZE: 'maxExecutionPlanSize',
    IDEMPOTENCY_TTL: 'idempotencyTTL',
    IDEMPOTENCY_EVICTION_INTERVAL: 'idempotencyEvictionInterval',
    HASH_ALGORITHM: 'hashAlgorithm',
    UNSAFE_SKIP_CONFIG_VALIDATION: 'unsafeSkipConfigValidation',
  },
}

export const memoryTable: VariableTable = {
  variables: {
    // Below the limit of the container, so that the Go runtime saves memory before the kernel kills it.
    GOMEMLIMIT: {
      of: ['resources', 'goMemLimitRatio'],
      print: ({ spec: { resources, goMemLimitRatio = 90 } }) => {
        const limit = amountOf(resources?.limits?.['memory'] ?? '')
        return limit === undefined ? undefined : String((limit * BigInt(goMemLimitRatio)) / 100n)
      },
    },
  },
}
