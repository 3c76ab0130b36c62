import { quantity, type VariableTable } from './variables.ts'

const addressOf = (
  collector: { readonly endpoint?: string | undefined; readonly port?: string | undefined } | undefined,
): string | undefined => {
  const { endpoint = '', port = '' } = collector ?? {}
  return endpoint + port === '' ? undefined : `${endpoint}:${port}`
}

/** What the ledger sends by OpenTelemetry. */
export const telemetryTable: VariableTable = {
  variables: {
    // Everything that is sent says which replica of which ledger it comes from.
    OTEL_RESOURCE_ATTRIBUTES: {
      of: ['monitoring.attributes'],
      print: ({ name, spec }) =>
        [spec.monitoring?.attributes, `service.cluster=${name}`, 'service.node_id=$(POD_NAME)']
          .filter(Boolean)
          .join(','),
    },
    OTEL_METRICS_ENABLED: 'monitoring.metrics.enabled',
    OTEL_METRICS_EXPORTER: 'monitoring.metrics.exporter',
    OTEL_METRICS_EXPORTER_OTLP_ENDPOINT: {
      of: ['monitoring.metrics.endpoint', 'monitoring.metrics.port'],
      print: ({ spec }) => addressOf(spec.monitoring?.metrics),
    },
    OTEL_METRICS_EXPORTER_OTLP_INSECURE: 'monitoring.metrics.insecure',
    OTEL_METRICS_EXPORTER_OTLP_MODE: 'monitoring.metrics.mode',
    OTEL_METRICS_KEEP_IN_MEMORY: 'monitoring.metrics.keepInMemory',
    OTEL_METRICS_EXPORTER_PUSH_INTERVAL: 'monitoring.metrics.exporterPushInterval',
    OTEL_METRICS_RUNTIME: 'monitoring.metrics.runtime',
    OTEL_METRICS_RUNTIME_MINIMUM_READ_MEM_STATS_INTERVAL: 'monitoring.metrics.runtimeMinimumReadMemStatsInterval',
    OTEL_LOGS_EXPORTER: 'monitoring.logs.exporter',
    OTEL_LOGS_EXPORTER_OTLP_ENDPOINT: {
      of: ['monitoring.logs.endpoint', 'monitoring.logs.port'],
      print: ({ spec }) => addressOf(spec.monitoring?.logs),
    },
    OTEL_LOGS_EXPORTER_OTLP_INSECURE: 'monitoring.logs.insecure',
    OTEL_LOGS_EXPORTER_OTLP_MODE: 'monitoring.logs.mode',
    OTEL_SERVICE_NAME: 'monitoring.serviceName',
    OTEL_TRACES: 'monitoring.traces.enabled',
    OTEL_TRACES_BATCH: 'monitoring.traces.batch',
    OTEL_TRACES_ENDPOINT: 'monitoring.traces.endpoint',
    OTEL_TRACES_PORT: 'monitoring.traces.port',
    OTEL_TRACES_EXPORTER: 'monitoring.traces.exporter',
    OTEL_TRACES_EXPORTER_OTLP_INSECURE: 'monitoring.traces.insecure',
    OTEL_TRACES_EXPORTER_OTLP_MODE: 'monitoring.traces.mode',
    OTEL_TRACES_EXPORTER_OTLP_ENDPOINT: {
      of: ['monitoring.traces.endpoint', 'monitoring.traces.port'],
      print: ({ spec }) => addressOf(spec.monitoring?.traces),
    },
  },
}

export const samplingTable: VariableTable = {
  when: 'monitoring.traces.sampling.enabled',
  variables: {
    TRACE_SAMPLING_ENABLED: 'monitoring.traces.sampling.enabled',
    TRACE_SAMPLING_SUCCESS_RATIO: 'monitoring.traces.sampling.successRatio',
  },
}

export const logsTable: VariableTable = {
  variables: { LOGS_ENABLED: 'monitoring.logs.enabled', LOGS_LEVEL: 'monitoring.logs.level' },
}

export const pyroscopeTable: VariableTable = {
  when: 'monitoring.pyroscope.enabled',
  variables: {
    PYROSCOPE_ENABLED: 'monitoring.pyroscope.enabled',
    PYROSCOPE_SERVER_ADDRESS: 'monitoring.pyroscope.serverAddress',
    PYROSCOPE_APPLICATION_NAME: {
      of: ['monitoring.pyroscope.applicationName', 'monitoring.serviceName'],
      print: ({ spec: { monitoring } }) =>
        monitoring?.pyroscope?.applicationName || monitoring?.serviceName || undefined,
    },
    PYROSCOPE_AUTH_TOKEN: 'monitoring.pyroscope.authToken',
    PYROSCOPE_TENANT_ID: 'monitoring.pyroscope.tenantId',
    PYROSCOPE_BASIC_AUTH_USER: 'monitoring.pyroscope.basicAuthUser',
    PYROSCOPE_BASIC_AUTH_PASSWORD: 'monitoring.pyroscope.basicAuthPassword',
    PYROSCOPE_UPLOAD_RATE: 'monitoring.pyroscope.uploadRate',
    PYROSCOPE_TAGS: 'monitoring.pyroscope.tags',
    PYROSCOPE_PROFILE_TYPES: 'monitoring.pyroscope.profileTypes',
    PYROSCOPE_MUTEX_PROFILE_FRACTION: 'monitoring.pyroscope.mutexProfileFraction',
    PYROSCOPE_BLOCK_PROFILE_RATE: 'monitoring.pyroscope.blockProfileRate',
    PYROSCOPE_DISABLE_GC_RUNS: 'monitoring.pyroscope.disableGCRuns',
  },
}

export const flightRecorderTable: VariableTable = {
  when: 'monitoring.flightRecorder.enabled',
  variables: {
    FLIGHT_RECORDER_ENABLED: 'monitoring.flightRecorder.enabled',
    FLIGHT_RECORDER_MIN_AGE: 'monitoring.flightRecorder.minAge',
    FLIGHT_RECORDER_MAX_BYTES: quantity('monitoring.flightRecorder.maxBytes'),
  },
}
