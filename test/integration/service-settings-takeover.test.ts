import { expect, test } from 'vitest'
import type { LiveWorkload } from '../../src/controllers/ledgerservice/observed.ts'
import { StatefulSet } from '../../src/pure/kind.ts'
import { hasEntryOf } from '../../src/pure/managed-fields.ts'
import { serviceNames } from '../../src/pure/names.ts'
import { aLedger } from '../kit/ledger.ts'

/** What the API server leaves out, or replaces by what it thinks best. */
const zeros = {
  auth: { enabled: true },
  extraEnv: [{ name: 'EMPTY', value: '' }],
  tolerations: [{ key: 'example.com/slow', operator: 'Exists', value: '', effect: '' }],
  livenessProbe: { initialDelaySeconds: 0, timeoutSeconds: 0, periodSeconds: 0, failureThreshold: 0 },
  readinessProbe: { grpc: { port: 8888 } },
  startupProbe: { grpc: { port: 8888, service: '' }, initialDelaySeconds: 0 },
  podSecurityContext: { fsGroupChangePolicy: 'Always', supplementalGroups: [] },
  // The former operator wrote these two although there is nothing in them, and the server keeps them.
  securityContext: {},
  affinity: {},
  nodeSelector: {},
  resources: {},
}

const zone = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' }

/** Settings of many sorts together. */
const many = {
  auth: { enabled: true, issuer: 'https://issuer.example', scopeMapping: { 'ledger:read': ['ledgers:read'] } },
  image: { repository: 'registry.example/ledger', tag: 'latest', pullPolicy: 'IfNotPresent' },
  imagePullSecrets: [{ name: 'registry' }],
  serviceAccount: { annotations: { 'example.com/role': 'ledger' } },
  podAnnotations: { 'example.com/scrape': 'true' },
  podSecurityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  resources: { requests: { cpu: 1, memory: '1024Mi' }, limits: { cpu: '2000m', memory: '1.5Gi' } },
  goMemLimitRatio: 80,
  extraEnv: [
    { name: 'REGION', valueFrom: { configMapKeyRef: { name: 'region', key: 'name', optional: true } } },
    { name: 'PLACE', value: '$(REGION)/$(POD_NAME)' },
    { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
  ],
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
  ],
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] } },
      ],
    },
    podAffinity: {},
  },
  podAntiAffinity: { type: 'soft', weight: 50 },
  topologySpreadConstraints: [
    zone,
    { ...zone, topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'any' } } },
  ],
  livenessProbe: { exec: { command: ['true'] }, timeoutSeconds: 5 },
  startupProbe: { httpGet: { path: '/up', port: 9000, httpHeaders: [{ name: 'X', value: 'y' }] } },
  debug: true,
  logLevel: 'debug',
  raft: { maxSizePerMsg: '1024Ki', transport: { receptionQueues: [1, 2] } },
  pebble: { cacheSize: '2048Mi', valueSeparation: { enabled: false } },
  readIndex: { batchSize: 0, pebble: { cacheSize: 67_108_864 } },
  snapshot: { sessionTTL: '1m' },
  cache: { rotationThreshold: 3 },
  coldStorage: { driver: 'none' },
  health: { interval: '10s' },
  responseSigning: { enabled: true, secretName: 'response' },
  receiptSigning: { secretName: 'receipt' },
  monitoring: {
    serviceName: 'shop',
    attributes: 'a=b',
    traces: { enabled: true, endpoint: 'otel', port: '4317', sampling: { enabled: true, successRatio: '0.5' } },
    metrics: { enabled: true, endpoint: 'otel' },
    logs: { enabled: true, level: 'info' },
    pyroscope: { enabled: true, serverAddress: 'http://pyroscope' },
    flightRecorder: { enabled: true, maxBytes: '16384Ki' },
  },
}

type Env = NonNullable<
  NonNullable<NonNullable<NonNullable<NonNullable<LiveWorkload['spec']>['template']>['spec']>['containers']>[0]['env']
>

/** In another order than ours, in which every reference has its value: what the user says and what a pod knows stays. */
const inAnotherOrder = (env: Env, extra: readonly { readonly name: string }[]): Env => {
  const isExtra = ({ name }: { readonly name: string }) => extra.some((variable) => variable.name === name)
  const [pod, ours] = [env.slice(0, 3), env.slice(3).filter((variable) => !isExtra(variable))]
  return [...pod, ...ours.toReversed(), ...env.filter(isExtra)]
}

test.for([
  { what: 'empty texts and zeros', spec: zeros, empty: { affinity: {}, containers: [{ securityContext: {} }] } },
  { what: 'many settings', spec: many, empty: {} },
])('LSV-28 $what in a service are no reason to make its pods anew', async ({ spec, empty }) => {
  await using ledger = await aLedger({ spec })
  await ledger.suite.stop()
  const ours = (await ledger.workload())?.spec?.template?.spec
  const [container] = ours?.containers ?? []
  const env = inAnotherOrder(container?.env ?? [], spec.extraEnv)
  const former = { ...container, env, command: ['/bin/sh', '-c', 'former script'] }
  await ledger.suite.user.as('ledger-operator').patch(StatefulSet, ledger.at('ledger-books'), {
    spec: {
      template: {
        metadata: { annotations: { [serviceNames.specHash]: 'former hash' } },
        spec: { ...empty, containers: [{ ...former, ...(empty.containers?.[0] ?? {}) }] },
      },
    },
  })
  const before = await ledger.workload()
  expect(before?.spec?.template?.spec).toMatchObject(empty)
  expect(env).not.toEqual(container?.env)
  await ledger.suite.start()
  await ledger.suite.settle()
  const taken = await ledger.workload()
  expect(JSON.stringify(taken?.spec)).toBe(JSON.stringify(before?.spec))
  expect(hasEntryOf(taken?.metadata.managedFields, 'ledger-operator')).toBe(false)
  const { length } = ledger.writes
  await ledger.suite.restart()
  expect(ledger.writes.slice(length)).toEqual([])
})
