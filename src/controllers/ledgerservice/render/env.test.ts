import { describe, expect, test } from 'vitest'
import { everyField } from '../../../../test/kit/every-field.ts'
import { aService } from '../../../../test/kit/rendered-service.ts'
import { spec as schema } from '../../../api/ledgerservice-schema.ts'
import { structuralSchemaOf } from '../../../api/structural.ts'
import { renderEnv } from './env.ts'

const valuesOf = (spec: object, keysHash?: string) =>
  Object.fromEntries(
    renderEnv(aService(spec), keysHash === undefined ? undefined : { hash: keysHash, revision: 0 }).map(
      ({ name, value, valueFrom }) => [name, value ?? valueFrom],
    ),
  )
const namesOf = (spec: object) => renderEnv(aService(spec), undefined).map(({ name }) => name)

describe('a variable of the user’s', () => {
  test('LSV-13 replaces ours of the same name, and comes where the user has put it', () => {
    const extraEnv = [
      { name: 'PREFIX', value: 'a' },
      { name: 'CLUSTER_ID', value: '$(PREFIX)-books' },
    ]
    expect(namesOf({ extraEnv }).slice(-2)).toEqual(['PREFIX', 'CLUSTER_ID'])
    expect(namesOf({ extraEnv }).filter((name) => name === 'CLUSTER_ID')).toHaveLength(1)
    expect(valuesOf({ extraEnv })['CLUSTER_ID']).toBe('$(PREFIX)-books')
  })

  test('LSV-13 about the pod stands before those that refer to it', () => {
    const extraEnv = [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
    const names = namesOf({ extraEnv })
    expect(names.indexOf('POD_NAME')).toBeLessThan(names.indexOf('ADVERTISE_ADDR'))
    expect(names.filter((name) => name === 'POD_NAME')).toHaveLength(1)
  })

  test('LSV-13 that is given twice counts as it was given last', () => {
    const extraEnv = ['1', '2'].map((value) => ({ name: 'TWICE', value }))
    expect(namesOf({ extraEnv }).filter((name) => name === 'TWICE')).toHaveLength(1)
    expect(valuesOf({ extraEnv })['TWICE']).toBe('2')
  })
})

describe('the memory that the ledger aims at', () => {
  test.each([
    ['1Gi', undefined, '966367641'],
    ['1Gi', 50, '536870912'],
    ['1.5G', 100, '1500000000'],
    [2_000_000, 90, '1800000'],
  ])('LSV-9 of a limit of %s at %s percent is %s bytes', (memory, goMemLimitRatio, bytes) => {
    expect(valuesOf({ resources: { limits: { memory } }, goMemLimitRatio })['GOMEMLIMIT']).toBe(bytes)
  })

  test('LSV-9 is not said when there is no limit', () => {
    expect(valuesOf({ goMemLimitRatio: 50 })).not.toHaveProperty('GOMEMLIMIT')
  })
})

test('LSV-9 settings of a profiler and a recorder count once these are on', () => {
  const off = {
    pyroscope: { tags: 'a=b' },
    flightRecorder: { minAge: '1s' },
    traces: { sampling: { successRatio: '1' } },
  }
  const on = {
    pyroscope: { enabled: true, tags: 'a=b', applicationName: 'books' },
    flightRecorder: { enabled: true, minAge: '1s', maxBytes: '1Mi' },
    traces: { sampling: { enabled: true, successRatio: '0.5' } },
  }
  expect(namesOf({ monitoring: off }).filter((name) => /PYROSCOPE|RECORDER|SAMPLING/.test(name))).toEqual([])
  expect(valuesOf({ monitoring: on })).toMatchObject({
    PYROSCOPE_TAGS: 'a=b',
    PYROSCOPE_APPLICATION_NAME: 'books',
    FLIGHT_RECORDER_MIN_AGE: '1s',
    FLIGHT_RECORDER_MAX_BYTES: '1Mi',
    TRACE_SAMPLING_SUCCESS_RATIO: '0.5',
  })
})

test('LSV-9 keys for signatures come from their Secrets', () => {
  const values = valuesOf({
    responseSigning: { enabled: true, secretName: 'r' },
    receiptSigning: { secretName: 's', secretKey: 'k' },
  })
  expect(values).toMatchObject({
    RESPONSE_SIGNING_KEY: '/response-signing/seed',
    RECEIPT_SIGNING_KEY: { secretKeyRef: { name: 's', key: 'k' } },
  })
})

test('LSV-9 a mapping of scopes is the same text in whatever order it was written', () => {
  const mapping = (scopeMapping: object) => valuesOf({ auth: { scopeMapping } })['AUTH_SCOPE_MAPPING']
  expect(mapping({ b: ['x'], a: [] })).toBe('{"a":[],"b":["x"]}')
  expect(mapping({ a: [], b: ['x'] })).toBe('{"a":[],"b":["x"]}')
})

test('LSV-9 an amount is printed as Kubernetes prints it', () => {
  const values = valuesOf({
    pebble: { cacheSize: '1024Mi', memTableSize: 67_108_864, valueSeparation: { minSize: '0.5Ki' } },
    readIndex: { pebble: { targetFileSize: '2048Ki' } },
    raft: { maxSizePerMsg: 1_000_000, transport: { bufferSize: '1.5Mi' } },
    monitoring: { flightRecorder: { enabled: true, maxBytes: '2000k' } },
  })
  expect(values).toMatchObject({
    PEBBLE_CACHE_SIZE: '1Gi',
    PEBBLE_MEMTABLE_SIZE: '67108864',
    PEBBLE_VALUE_SEPARATION_MIN_SIZE: '512',
    READ_INDEX_TARGET_FILE_SIZE: '2Mi',
    RAFT_MAX_SIZE_PER_MSG: '1M',
    RAFT_TRANSPORT_BUFFER_SIZE: '1536Ki',
    FLIGHT_RECORDER_MAX_BYTES: '2M',
  })
})

test('LSV-9 without cold storage there is no directory for its cache', () => {
  expect(namesOf({ coldStorage: { driver: 'none' } })).not.toContain('COLD_CACHE_DIR')
  expect(namesOf({ coldStorage: { driver: 's3' } })).toContain('COLD_CACHE_DIR')
})

/** The order in which the former operator wrote what it knew. */
const order = [
  'POD_INDEX POD_NAME POD_NAMESPACE',
  'BIND_ADDR GRPC_PORT HTTP_PORT WAL_DIR DATA_DIR ADVERTISE_ADDR CLUSTER_ID DEBUG LOG_LEVEL CACHE_ROTATION_THRESHOLD',
  'MAINTENANCE_INTERVAL RAFT_ELECTION_TICK RAFT_HEARTBEAT_TICK RAFT_MAX_SIZE_PER_MSG RAFT_MAX_INFLIGHT_MSGS',
  'RAFT_TICK_INTERVAL RAFT_PROPOSE_QUEUE_CAPACITY RAFT_COMPACTION_MARGIN RAFT_REPLAY_BATCH_SIZE',
  'RAFT_PROCESSING_TICK_INTERVAL LEARNER_PROMOTION_THRESHOLD RAFT_TRANSPORT_RECEPTION_QUEUES',
  'RAFT_TRANSPORT_SEND_QUEUES RAFT_TRANSPORT_BUFFER_SIZE',
  'ADMISSION_METRICS METRICS_NAMING SENTINEL_MODE GRPC_COMPRESSION QUERY_PROFILE_THRESHOLD GRPC_SLOW_THRESHOLD',
  'NUMSCRIPT_CACHE_SIZE MIRROR_MAX_BATCH_SIZE MAX_EXECUTION_PLAN_SIZE IDEMPOTENCY_TTL IDEMPOTENCY_EVICTION_INTERVAL',
  'HASH_ALGORITHM UNSAFE_SKIP_CONFIG_VALIDATION',
  'SNAPSHOT_SESSION_TTL SNAPSHOT_PARALLELISM SNAPSHOT_RETRY_COUNT SNAPSHOT_FILE_RETRY_COUNT',
  'COLD_STORAGE_DRIVER COLD_STORAGE_PATH COLD_STORAGE_BUCKET_ID COLD_STORAGE_S3_BUCKET COLD_STORAGE_S3_REGION',
  'COLD_STORAGE_S3_ENDPOINT COLD_CACHE_DIR',
  'HEALTH_CHECK_INTERVAL HEALTH_WAL_THRESHOLD HEALTH_DATA_THRESHOLD HEALTH_WAL_RESUME_THRESHOLD',
  'HEALTH_DATA_RESUME_THRESHOLD HEALTH_CLOCK_SKEW_THRESHOLD',
  'PEBBLE_MEMTABLE_SIZE PEBBLE_MEMTABLE_STOP_WRITES_THRESHOLD PEBBLE_L0_COMPACTION_THRESHOLD',
  'PEBBLE_L0_STOP_WRITES_THRESHOLD PEBBLE_LBASE_MAX_BYTES PEBBLE_CACHE_SIZE PEBBLE_TARGET_FILE_SIZE',
  'PEBBLE_BYTES_PER_SYNC PEBBLE_MAX_CONCURRENT_COMPACTIONS PEBBLE_COMPRESSION PEBBLE_WAL_BYTES_PER_SYNC',
  'PEBBLE_WAL_MIN_SYNC_INTERVAL PEBBLE_DISABLE_WAL PEBBLE_INCREMENTAL_COMPACT_THRESHOLD PEBBLE_MAX_CHECKPOINTS',
  'PEBBLE_VALUE_SEPARATION PEBBLE_VALUE_SEPARATION_MIN_SIZE PEBBLE_VALUE_SEPARATION_MAX_DEPTH',
  'PEBBLE_VALUE_SEPARATION_REWRITE_AGE PEBBLE_VALUE_SEPARATION_GARBAGE_RATIO',
  ...[
    ...['VOLUMES', 'METADATA', 'REFERENCES', 'LEDGERS', 'BOUNDARIES', 'TRANSACTIONS', 'SINK_CONFIGS'],
    ...['NUMSCRIPT_VERSIONS', 'NUMSCRIPT_CONTENTS', 'LEDGER_METADATA', 'PREPARED_QUERIES'],
  ].map((filter) => `BLOOM_${filter}_EXPECTED_KEYS BLOOM_${filter}_FP_RATE`),
  'RECEIPT_SIGNING_KEY OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_METRICS_ENABLED OTEL_METRICS_EXPORTER OTEL_METRICS_EXPORTER_OTLP_ENDPOINT',
  'OTEL_METRICS_EXPORTER_OTLP_INSECURE OTEL_METRICS_EXPORTER_OTLP_MODE OTEL_METRICS_KEEP_IN_MEMORY',
  'OTEL_METRICS_EXPORTER_PUSH_INTERVAL OTEL_METRICS_RUNTIME OTEL_METRICS_RUNTIME_MINIMUM_READ_MEM_STATS_INTERVAL',
  'OTEL_LOGS_EXPORTER OTEL_LOGS_EXPORTER_OTLP_ENDPOINT OTEL_LOGS_EXPORTER_OTLP_INSECURE OTEL_LOGS_EXPORTER_OTLP_MODE',
  'OTEL_SERVICE_NAME OTEL_TRACES OTEL_TRACES_BATCH OTEL_TRACES_ENDPOINT OTEL_TRACES_PORT OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_EXPORTER_OTLP_INSECURE OTEL_TRACES_EXPORTER_OTLP_MODE OTEL_TRACES_EXPORTER_OTLP_ENDPOINT',
  'TRACE_SAMPLING_ENABLED TRACE_SAMPLING_SUCCESS_RATIO LOGS_ENABLED LOGS_LEVEL',
  'PYROSCOPE_ENABLED PYROSCOPE_SERVER_ADDRESS PYROSCOPE_APPLICATION_NAME PYROSCOPE_AUTH_TOKEN PYROSCOPE_TENANT_ID',
  'PYROSCOPE_BASIC_AUTH_USER PYROSCOPE_BASIC_AUTH_PASSWORD PYROSCOPE_UPLOAD_RATE PYROSCOPE_TAGS',
  'PYROSCOPE_PROFILE_TYPES PYROSCOPE_MUTEX_PROFILE_FRACTION PYROSCOPE_BLOCK_PROFILE_RATE PYROSCOPE_DISABLE_GC_RUNS',
  'FLIGHT_RECORDER_ENABLED FLIGHT_RECORDER_MIN_AGE FLIGHT_RECORDER_MAX_BYTES',
  'TLS_MODE TLS_CERT_FILE TLS_KEY_FILE TLS_CA_CERT_FILE GOMEMLIMIT',
  'AUTH_ENABLED AUTH_ISSUER AUTH_ISSUERS AUTH_SERVICE AUTH_CHECK_SCOPES AUTH_READ_KEY_SET_MAX_RETRIES',
  'AUTH_SCOPE_MAPPING AUTH_ANONYMOUS_SCOPES AUTH_ED25519_KEYS',
  'READ_INDEX_BATCH_SIZE READ_INDEX_MEMTABLE_SIZE READ_INDEX_MEMTABLE_STOP_WRITES_THRESHOLD',
  'READ_INDEX_L0_COMPACTION_THRESHOLD READ_INDEX_L0_STOP_WRITES_THRESHOLD READ_INDEX_LBASE_MAX_BYTES',
  'READ_INDEX_CACHE_SIZE READ_INDEX_TARGET_FILE_SIZE READ_INDEX_BYTES_PER_SYNC',
  'READ_INDEX_MAX_CONCURRENT_COMPACTIONS READ_INDEX_COMPRESSION RESPONSE_SIGNING_KEY',
  'MINE CLUSTER_SECRET',
].flatMap((line) => line.split(' '))

test('LSV-8 variables come in the order of the former operator', () => {
  const full = everyField(structuralSchemaOf(schema)) as object
  const resources = { limits: { memory: '1Gi' } }
  const names = renderEnv(aService({ ...full, resources, extraEnv: [{ name: 'MINE', value: '1' }] }), {
    hash: '',
    revision: 0,
  }).map(({ name }) => name)
  expect(names).toEqual(order)
})
