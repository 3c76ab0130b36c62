import { serviceAccountName } from '../../pure/rbac.ts'
import type { Scope } from '../../pure/scope.ts'
import type { LedgerImage } from './ledger-image.ts'

const name = 'holdfast'
const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'operator' }

/** The user of distroless images: nobody, and no name in the image. */
const user = 65532

interface Run {
  readonly scope: Scope
  readonly without: readonly string[]
  readonly image: string
  readonly ledgerImage: LedgerImage | undefined
}

/** Two operators: one works, the other takes over within seconds. */
export const renderDeployment = (run: Run) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: run.scope.own, labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: renderPod(run) },
  },
})

/** A drained node does not take both at once. */
export const renderDisruptionBudget = (namespace: string) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace, labels },
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
})

const renderPod = (run: Run) => ({
  serviceAccountName,
  automountServiceAccountToken: true,
  enableServiceLinks: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: labels },
    },
  ],
  containers: [renderContainer(run)],
})

const renderContainer = ({ scope: { watched }, without, image, ledgerImage }: Run) => ({
  name: 'operator',
  image,
  args: [
    'operator',
    ...(watched === 'all' ? [] : watched.map((namespace) => `--watch-namespace=${namespace}`)),
    ...without.map((kind) => `--without=${kind}`),
  ],
  env: [
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ...(ledgerImage === undefined ? [] : renderLedgerImage(ledgerImage)),
  ],
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 30 },
  livenessProbe: { ...probe('/healthz'), periodSeconds: 10, failureThreshold: 3 },
  readinessProbe: { ...probe('/readyz'), periodSeconds: 5, failureThreshold: 2 },
  resources: {
    requests: { cpu: '50m', memory: '128Mi' },
    limits: { cpu: '1', memory: '512Mi' },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
})

const renderLedgerImage = ({ repository, tag }: LedgerImage) => [
  { name: 'LEDGER_IMAGE_REPOSITORY', value: repository },
  { name: 'LEDGER_IMAGE_TAG', value: tag },
]

const probe = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 2 })
