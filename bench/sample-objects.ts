import type { Kind } from '../src/pure/kind.ts'

export const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
export const Pod: Kind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true }

// The median of a small cluster's pods, in bytes of JSON.
const podSize = 2400

const metadataOf = (n: number) => ({
  name: `app-${n}`,
  namespace: `team-${n % 50}`,
  uid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
  labels: { app: `app-${n % 100}`, 'pod-template-hash': '5d8f7c9b6d', team: `team-${n % 50}` },
  managedFields: [
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:pod-template-hash': {}, 'f:team': {} } } },
    },
  ],
})

const volumeMounts = [{ name: 'token', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }]

const spec = {
  volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607 } }] } }],
  containers: [
    {
      name: 'app',
      image: 'registry.example.com/app:1.2.3',
      env: [{ name: 'LEVEL', value: 'info' }],
      resources: { limits: { memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
      volumeMounts,
      imagePullPolicy: 'IfNotPresent',
    },
  ],
  restartPolicy: 'Always',
  serviceAccountName: 'default',
  nodeName: 'node-1',
  schedulerName: 'default-scheduler',
}

const condition = { status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-01T00:00:00Z' }

const status = {
  phase: 'Running',
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({ ...condition, type })),
  hostIP: '10.0.0.1',
  podIP: '10.1.0.1',
  startTime: '2026-01-01T00:00:00Z',
}

/** The n-th pod, at version 1. */
export const samplePod = (n: number): object => {
  const pod = (filling: string) => {
    const metadata = { ...metadataOf(n), annotations: { 'example.com/filling': filling } }
    return { metadata, spec, status }
  }
  return pod('x'.repeat(Math.max(0, podSize - JSON.stringify(pod('')).length)))
}

/** The n-th Secret, at version 1: its metadata, and what nobody reads who asks for metadata only. */
export const sampleSecret = (n: number): { readonly metadata: object; readonly data: object } => ({
  metadata: metadataOf(n),
  data: { password: 'x'.repeat(1000) },
})

/** A ConfigMap as one is sent. */
export const sampleConfigMap = (namespace: string, name: string) => ({
  metadata: { namespace, name },
  data: { settings: 'x'.repeat(1000) },
})
