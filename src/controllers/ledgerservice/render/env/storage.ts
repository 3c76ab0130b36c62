import { coldCacheDir } from '../claims.ts'
import { quantity, type VariableTable } from './variables.ts'

/** Where old data goes. */
export const coldStorageTable: VariableTable = {
  variables: {
    COLD_STORAGE_DRIVER: 'coldStorage.driver',
    COLD_STORAGE_PATH: 'coldStorage.path',
    COLD_STORAGE_BUCKET_ID: 'coldStorage.bucketId',
    COLD_STORAGE_S3_BUCKET: 'coldStorage.s3.bucket',
    COLD_STORAGE_S3_REGION: 'coldStorage.s3.region',
    COLD_STORAGE_S3_ENDPOINT: 'coldStorage.s3.endpoint',
    COLD_CACHE_DIR: {
      of: ['coldStorage.driver'],
      print: ({ spec }) => (spec.coldStorage?.driver === 'none' ? undefined : coldCacheDir),
    },
  },
}

/** The storage engine of the data. */
export const pebbleTable: VariableTable = {
  variables: {
    PEBBLE_MEMTABLE_SIZE: quantity('pebble.memTableSize'),
    PEBBLE_MEMTABLE_STOP_WRITES_THRESHOLD: 'pebble.memTableStopWritesThreshold',
    PEBBLE_L0_COMPACTION_THRESHOLD: 'pebble.l0CompactionThreshold',
    PEBBLE_L0_STOP_WRITES_THRESHOLD: 'pebble.l0StopWritesThreshold',
    PEBBLE_LBASE_MAX_BYTES: quantity('pebble.lBaseMaxBytes'),
    PEBBLE_CACHE_SIZE: quantity('pebble.cacheSize'),
    PEBBLE_TARGET_FILE_SIZE: quantity('pebble.targetFileSize'),
    PEBBLE_BYTES_PER_SYNC: quantity('pebble.bytesPerSync'),
    PEBBLE_MAX_CONCURRENT_COMPACTIONS: 'pebble.maxConcurrentCompactions',
    PEBBLE_COMPRESSION: 'pebble.compression',
    PEBBLE_WAL_BYTES_PER_SYNC: quantity('pebble.walBytesPerSync'),
    PEBBLE_WAL_MIN_SYNC_INTERVAL: 'pebble.walMinSyncInterval',
    PEBBLE_DISABLE_WAL: 'pebble.disableWAL',
    PEBBLE_INCREMENTAL_COMPACT_THRESHOLD: 'pebble.incrementalCompactThreshold',
    PEBBLE_MAX_CHECKPOINTS: 'pebble.maxCheckpoints',
    PEBBLE_VALUE_SEPARATION: 'pebble.valueSeparation.enabled',
    PEBBLE_VALUE_SEPARATION_MIN_SIZE: quantity('pebble.valueSeparation.minSize'),
    PEBBLE_VALUE_SEPARATION_MAX_DEPTH: 'pebble.valueSeparation.maxDepth',
    PEBBLE_VALUE_SEPARATION_REWRITE_AGE: 'pebble.valueSeparation.rewriteAge',
    PEBBLE_VALUE_SEPARATION_GARBAGE_RATIO: 'pebble.valueSeparation.garbageRatio',
  },
}

/** The storage engine of the index, which knows fewer settings. */
export const readIndexTable: VariableTable = {
  variables: {
    READ_INDEX_BATCH_SIZE: 'readIndex.batchSize',
    READ_INDEX_MEMTABLE_SIZE: quantity('readIndex.pebble.memTableSize'),
    READ_INDEX_MEMTABLE_STOP_WRITES_THRESHOLD: 'readIndex.pebble.memTableStopWritesThreshold',
    READ_INDEX_L0_COMPACTION_THRESHOLD: 'readIndex.pebble.l0CompactionThreshold',
    READ_INDEX_L0_STOP_WRITES_THRESHOLD: 'readIndex.pebble.l0StopWritesThreshold',
    READ_INDEX_LBASE_MAX_BYTES: quantity('readIndex.pebble.lBaseMaxBytes'),
    READ_INDEX_CACHE_SIZE: quantity('readIndex.pebble.cacheSize'),
    READ_INDEX_TARGET_FILE_SIZE: quantity('readIndex.pebble.targetFileSize'),
    READ_INDEX_BYTES_PER_SYNC: quantity('readIndex.pebble.bytesPerSync'),
    READ_INDEX_MAX_CONCURRENT_COMPACTIONS: 'readIndex.pebble.maxConcurrentCompactions',
    READ_INDEX_COMPRESSION: 'readIndex.pebble.compression',
  },
}

export const bloomTable: VariableTable = {
  variables: {
    BLOOM_VOLUMES_EXPECTED_KEYS: 'bloom.volumes.expectedKeys',
    BLOOM_VOLUMES_FP_RATE: 'bloom.volumes.fpRate',
    BLOOM_METADATA_EXPECTED_KEYS: 'bloom.metadata.expectedKeys',
    BLOOM_METADATA_FP_RATE: 'bloom.metadata.fpRate',
    BLOOM_REFERENCES_EXPECTED_KEYS: 'bloom.references.expectedKeys',
    BLOOM_REFERENCES_FP_RATE: 'bloom.references.fpRate',
    BLOOM_LEDGERS_EXPECTED_KEYS: 'bloom.ledgers.expectedKeys',
    BLOOM_LEDGERS_FP_RATE: 'bloom.ledgers.fpRate',
    BLOOM_BOUNDARIES_EXPECTED_KEYS: 'bloom.boundaries.expectedKeys',
    BLOOM_BOUNDARIES_FP_RATE: 'bloom.boundaries.fpRate',
    BLOOM_TRANSACTIONS_EXPECTED_KEYS: 'bloom.transactions.expectedKeys',
    BLOOM_TRANSACTIONS_FP_RATE: 'bloom.transactions.fpRate',
    BLOOM_SINK_CONFIGS_EXPECTED_KEYS: 'bloom.sinkConfigs.expectedKeys',
    BLOOM_SINK_CONFIGS_FP_RATE: 'bloom.sinkConfigs.fpRate',
    BLOOM_NUMSCRIPT_VERSIONS_EXPECTED_KEYS: 'bloom.numscriptVersions.expectedKeys',
    BLOOM_NUMSCRIPT_VERSIONS_FP_RATE: 'bloom.numscriptVersions.fpRate',
    BLOOM_NUMSCRIPT_CONTENTS_EXPECTED_KEYS: 'bloom.numscriptContents.expectedKeys',
    BLOOM_NUMSCRIPT_CONTENTS_FP_RATE: 'bloom.numscriptContents.fpRate',
    BLOOM_LEDGER_METADATA_EXPECTED_KEYS: 'bloom.ledgerMetadata.expectedKeys',
    BLOOM_LEDGER_METADATA_FP_RATE: 'bloom.ledgerMetadata.fpRate',
    BLOOM_PREPARED_QUERIES_EXPECTED_KEYS: 'bloom.preparedQueries.expectedKeys',
    BLOOM_PREPARED_QUERIES_FP_RATE: 'bloom.preparedQueries.fpRate',
  },
}
