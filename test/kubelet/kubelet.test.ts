import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { type Kubelet, startKubelet } from '../../src/dev/kubelet.ts'
import type { PlayedPod } from '../../src/dev/kubelet-pod.ts'
import { usualFate } from '../../src/dev/kubelet-status.ts'
import type { Client } from '../../src/kube/client.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { type Kind, Namespace, Pod, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { Gate } from '../kit/gate.ts'
import { connectAsAdmin } from '../kit/shared-control-plane.ts'
import { User } from '../kit/user.ts'

const Deployment: Kind = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true }
const PersistentVolumeClaim: Kind = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
}
const Job: Kind = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

interface WorkloadStatus {
  readonly replicas?: number
  readonly readyReplicas?: number
  readonly updatedReplicas?: number
  readonly availableReplicas?: number
  readonly unavailableReplicas?: number
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[]
}

interface Workload extends KubeObject {
  readonly status?: WorkloadStatus
}

let client: Client
let user: User
let kubelet: Kubelet
let namespace: string
const troubles: unknown[] = []
const writes: string[] = []
/** Statuses that the next writes are answered with, in place of the server. */
const refusals: number[] = []

beforeAll(async () => {
  const controlPlane = await startControlPlane({ controllerManager: true })
  const { port, ...admin } = connectAsAdmin(controlPlane.kubeconfig)
  client = admin.client
  user = new User(port)
  const gate = new Gate(port, {
    onCall({ method }, { verb, namespace: at }) {
      if (method === 'GET') return undefined
      writes.push(`${verb} in ${at}`)
      const status = refusals.shift()
      return status === undefined ? undefined : () => Promise.resolve({ status, body: '', retryAfter: undefined })
    },
  })
  kubelet = await startKubelet({ port: gate, clock: systemClock, onTrouble: (error) => troubles.push(error) })
  return async () => {
    await kubelet.stop()
    await port.close()
    await controlPlane.stop()
  }
})

beforeEach(async () => {
  namespace = `kubelet-${randomBytes(4).toString('hex')}`
  await user.create(Namespace, { metadata: { name: namespace } })
  await eventually('pods are admitted', () => client.get(ServiceAccount, { namespace, name: 'default' }))
  return () => kubelet.setFate(usualFate)
})

afterAll(() => expect(troubles).toEqual([]))

const spec = { containers: [{ name: 'main', image: 'app:1' }] }
const create = (kind: Kind, name: string, more: object) =>
  user.create(kind, { metadata: { namespace, name }, spec: more })
const createReplicas = (kind: Kind, name: string, replicas: number, more: object = {}) => {
  const labels = { app: name }
  return create(kind, name, {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec },
    ...more,
  })
}
const createJob = (name: string) =>
  create(Job, name, { backoffLimit: 0, template: { spec: { ...spec, restartPolicy: 'Never' } } })

const podOf = (name: string) => client.get<PlayedPod>(Pod, { namespace, name })
const imageOf = (pod: PlayedPod) => pod.spec.containers[0]?.image
const pods = async () => (await client.list<PlayedPod>(Pod, { namespace })).items
const until = (kind: Kind, name: string, isSo: (status: WorkloadStatus) => boolean) =>
  eventually(`${kind.kind} ${name}: ${String(isSo)}`, async () => {
    const { status = {} } = (await client.get<Workload>(kind, { namespace, name })) ?? {}
    return isSo(status) ? status : undefined
  })
const says = ({ conditions = [] }: WorkloadStatus, type: string, reason?: string) =>
  conditions.some((c) => c.type === type && (reason === undefined ? c.status === 'True' : c.reason === reason))

/** The kubelet looks at pods in the order of their events: when this one runs, it has seen all that came before. */
const untilSeen = async () => {
  const name = `marker-${randomBytes(4).toString('hex')}`
  await create(Pod, name, spec)
  await eventually('the marker runs', async () => (await podOf(name))?.status?.phase === 'Running')
}

test('a Deployment of two becomes available', async () => {
  await createReplicas(Deployment, 'web', 2)
  await until(Deployment, 'web', ({ availableReplicas }) => availableReplicas === 2)
})

test('a StatefulSet of three comes up in order', async () => {
  kubelet.setFate(({ metadata }) => (metadata.name === 'db-1' ? 'hold' : undefined))
  await createReplicas(StatefulSet, 'db', 3, { serviceName: 'db' })
  await until(StatefulSet, 'db', ({ readyReplicas, replicas }) => readyReplicas === 1 && replicas === 2)
  await untilSeen()
  expect((await pods()).filter(({ metadata }) => metadata.name.startsWith('db-'))).toMatchObject([
    { metadata: { name: 'db-0' }, status: { phase: 'Running' } },
    { metadata: { name: 'db-1' }, status: { phase: 'Pending' } },
  ])

  kubelet.setFate(usualFate)
  await until(StatefulSet, 'db', ({ readyReplicas }) => readyReplicas === 3)
})

test('a Job completes, and leaves a pod that succeeded', async () => {
  await createJob('once')
  await until(Job, 'once', (status) => says(status, 'Complete'))
  expect(await pods()).toMatchObject([
    { status: { phase: 'Succeeded', containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] } },
  ])
})

test('a Job whose pod crashes fails', async () => {
  kubelet.setFate(() => 'crash')
  await createJob('once')
  await until(Job, 'once', (status) => says(status, 'Failed'))
  expect(await pods()).toMatchObject([
    { status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 1 } } }] } },
  ])
})

test('a pod whose fate cannot be told yet is asked about again, and runs then', async () => {
  let isThere = false
  kubelet.setFate(async ({ metadata }) => {
    if (metadata.name !== 'early') return undefined
    if (!isThere) throw new Error('what it mounts is not there')
    return Promise.resolve('run')
  })
  await create(Pod, 'early', spec)
  await eventually('it was asked about', () => troubles.length > 0)
  expect((await podOf('early'))?.status?.phase).toBe('Pending')

  isThere = true
  await eventually('it runs', async () => (await podOf('early'))?.status?.phase === 'Running')
  expect(troubles.splice(0)).toContainEqual(new Error('what it mounts is not there'))
})

test('a pod that is held back stays Pending, its Deployment unavailable, until it is let go', async () => {
  kubelet.setFate(({ metadata }) => (metadata.labels?.['app'] === 'held' ? 'hold' : undefined))
  await createReplicas(Deployment, 'held', 1)
  await until(Deployment, 'held', ({ replicas }) => replicas === 1)
  await untilSeen()
  expect((await pods()).map(({ status }) => status?.phase).sort()).toEqual(['Pending', 'Running'])
  await until(Deployment, 'held', ({ unavailableReplicas }) => unavailableReplicas === 1)

  kubelet.setFate(usualFate)
  await until(Deployment, 'held', ({ availableReplicas }) => availableReplicas === 1)
})

test('a pod that crashes is not ready and says CrashLoopBackOff, and remembers it when it recovers', async () => {
  await createReplicas(Deployment, 'web', 1)
  await until(Deployment, 'web', ({ availableReplicas }) => availableReplicas === 1)
  kubelet.setFate(() => 'crash')
  await until(Deployment, 'web', ({ unavailableReplicas }) => unavailableReplicas === 1)
  const waiting = { reason: 'CrashLoopBackOff' }
  expect(await pods()).toMatchObject([
    { status: { phase: 'Running', containerStatuses: [{ ready: false, restartCount: 1, state: { waiting } }] } },
  ])

  kubelet.setFate(usualFate)
  await until(Deployment, 'web', ({ availableReplicas }) => availableReplicas === 1)
  expect(await pods()).toMatchObject([{ status: { containerStatuses: [{ ready: true, restartCount: 1 }] } }])
})

test('a rollout whose new pods are held never ends, and the old ones stay ready', async () => {
  kubelet.setFate((pod) => (imageOf(pod) === 'app:2' ? 'hold' : undefined))
  // The controller keeps whole seconds: with a deadline of one, it would pass at once.
  await createReplicas(Deployment, 'web', 2, { progressDeadlineSeconds: 3 })
  await until(Deployment, 'web', ({ availableReplicas }) => availableReplicas === 2)
  const containers = [{ name: 'main', image: 'app:2' }]
  await user.patch(Deployment, { namespace, name: 'web' }, { spec: { template: { spec: { containers } } } })

  const status = await until(Deployment, 'web', (s) => says(s, 'Progressing', 'ProgressDeadlineExceeded'))
  expect(status).toMatchObject({ readyReplicas: 2, updatedReplicas: 1, unavailableReplicas: 1 })
  const phases = (await pods()).map((pod) => `${imageOf(pod)} ${pod.status?.phase}`)
  expect(phases.sort()).toEqual(['app:1 Running', 'app:1 Running', 'app:2 Pending'])
})

test('a pod that is deleted goes at once, whatever its grace period', async () => {
  // Without a node the API server would not wait for a kubelet.
  await create(Pod, 'placed', { ...spec, nodeName: 'node', terminationGracePeriodSeconds: 600 })
  await eventually('it runs', async () => (await podOf('placed'))?.status?.phase === 'Running')
  await user.delete(Pod, { namespace, name: 'placed' })
  await eventually('it is gone', async () => (await podOf('placed')) === undefined)
})

test('a namespace with a StatefulSet and its volume claims goes when it is deleted', async () => {
  const volumeClaimTemplates = [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ]
  await createReplicas(StatefulSet, 'db', 2, { serviceName: 'db', volumeClaimTemplates })
  await until(StatefulSet, 'db', ({ readyReplicas }) => readyReplicas === 2)
  const claims = (await client.list(PersistentVolumeClaim, { namespace })).items
  expect(claims.map(({ metadata }) => metadata.name).sort()).toEqual(['data-db-0', 'data-db-1'])
  expect(claims[0]?.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])

  await user.delete(Namespace, { name: namespace })
  await eventually('it is gone', async () => (await client.get(Namespace, { name: namespace })) === undefined)
})

test('at rest nothing is written', async () => {
  await createReplicas(Deployment, 'web', 2)
  await until(Deployment, 'web', ({ availableReplicas }) => availableReplicas === 2)
  const [pod] = await pods()
  await user.patch(Pod, pod!.metadata, { metadata: { annotations: { touched: 'yes' } } })
  kubelet.setFate(usualFate)
  await untilSeen()
  expect(writes.filter((write) => write.endsWith(namespace))).toEqual(Array(3).fill(`status in ${namespace}`))
})

test('a write that is refused is tried again', async () => {
  refusals.push(500, 429, 503)
  await untilSeen()
  expect(troubles.splice(0)).toMatchObject([{ status: 500 }, { status: 429 }, { status: 503 }])
})
