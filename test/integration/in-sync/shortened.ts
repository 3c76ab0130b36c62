import type { KubeObject } from '../../../src/pure/object.ts'
import type { Body } from './bodies.ts'
import type { KindName } from './kinds.ts'
import type { Patch } from './server.ts'

/** An object of which less is wanted than before, and what somebody put beside what goes. */
export interface Shortened {
  readonly kind: KindName
  readonly before: Body
  readonly after: Body
  readonly theirs: Patch
  /** What is left of the field in question, read off the live object. */
  readonly left: (live: KubeObject & Readonly<Record<string, unknown>>) => unknown
  readonly expected: unknown
}

const add = (path: string, value: unknown): Patch => ({ as: 'json-patch', body: [{ op: 'add', path, value }] })

const named = (...names: readonly string[]) => names.map((name) => ({ name }))
const namesOf = (list: unknown) => (list as readonly { readonly name: string }[]).map(({ name }) => name).sort()
const keysOf = (map: unknown) => Object.keys(map as object).sort()

const template = (container: object, restartPolicy = 'Always') => ({
  metadata: { labels: { app: 'a' } },
  spec: {
    serviceAccountName: 'nobody-has-this-one',
    restartPolicy,
    containers: [{ name: 'main', image: 'registry.example/app:1', ...container }],
  },
})
const selector = { matchLabels: { app: 'a' } }

const containerOf = (live: Readonly<Record<string, unknown>>) => {
  const { template: pod } = live['spec'] as { template: { spec: { containers: readonly Record<string, unknown>[] } } }
  return pod.spec.containers[0]
}
const container = '/spec/template/spec/containers/0'

const env = (...names: readonly string[]) => ({ env: names.map((name) => ({ name, value: 'x' })) })
const aPort = (name: string, containerPort: number) => ({ name, containerPort, protocol: 'TCP' })
const servicePort = (name: string, port: number) => ({ name, port, protocol: 'TCP' })

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }
const subjects = [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }]

export const shortened: readonly Shortened[] = [
  {
    kind: 'Secret',
    before: { type: 'Opaque', data: { a: 'YQ==', b: 'Yg==' } },
    after: { type: 'Opaque', data: { a: 'YQ==' } },
    theirs: add('/data/c', 'Yw=='),
    left: (live) => keysOf(live['data']),
    expected: ['a', 'c'],
  },
  {
    kind: 'ConfigMap',
    before: { data: { a: '1', b: '2' } },
    after: { data: { a: '1' } },
    theirs: add('/data/c', '3'),
    left: (live) => keysOf(live['data']),
    expected: ['a', 'c'],
  },
  {
    kind: 'StatefulSet',
    before: { spec: { serviceName: 's', selector, template: template(env('A', 'B')) } },
    after: { spec: { serviceName: 's', selector, template: template(env('A')) } },
    theirs: add(`${container}/env/-`, { name: 'C', value: 'x' }),
    left: (live) => namesOf(containerOf(live)?.['env']),
    expected: ['A', 'C'],
  },
  {
    kind: 'Deployment',
    before: { spec: { selector, template: template({ ports: [aPort('a', 1), aPort('b', 2)] }) } },
    after: { spec: { selector, template: template({ ports: [aPort('a', 1)] }) } },
    theirs: add(`${container}/ports/-`, aPort('c', 3)),
    left: (live) => namesOf(containerOf(live)?.['ports']),
    expected: ['a', 'c'],
  },
  {
    kind: 'Service',
    before: { spec: { selector: { app: 'a' }, ports: [servicePort('a', 1), servicePort('b', 2)] } },
    after: { spec: { selector: { app: 'a' }, ports: [servicePort('a', 1)] } },
    theirs: add('/spec/ports/-', servicePort('c', 3)),
    left: (live) => namesOf((live['spec'] as { ports: unknown }).ports),
    expected: ['a', 'c'],
  },
  {
    kind: 'ServiceAccount',
    before: { secrets: named('a', 'b') },
    after: { secrets: named('a') },
    theirs: add('/secrets/-', { name: 'c' }),
    left: (live) => namesOf(live['secrets']),
    expected: ['a', 'c'],
  },
  {
    kind: 'Role',
    before: { rules, metadata: { labels: { a: 'x', b: 'x' } } },
    after: { rules, metadata: { labels: { a: 'x' } } },
    theirs: add('/metadata/labels/c', 'x'),
    left: ({ metadata }) => keysOf(metadata.labels),
    expected: ['a', 'c'],
  },
  {
    kind: 'RoleBinding',
    before: { roleRef, subjects, metadata: { labels: { a: 'x' } } },
    after: { roleRef, metadata: { labels: { a: 'x' } } },
    theirs: add('/metadata/labels/c', 'x'),
    left: ({ metadata, subjects: bound }) => [keysOf(metadata.labels), bound],
    expected: [['a', 'c'], undefined],
  },
  {
    kind: 'NetworkPolicy',
    before: { spec: { podSelector: selector, policyTypes: ['Ingress', 'Egress'], egress: [{}] } },
    after: { spec: { podSelector: selector, policyTypes: ['Ingress', 'Egress'] } },
    theirs: add('/spec/ingress', [{}]),
    left: (live) => keysOf(live['spec']),
    expected: ['ingress', 'podSelector', 'policyTypes'],
  },
  {
    kind: 'Job',
    before: { spec: { suspend: true, ttlSecondsAfterFinished: 60, template: template({}, 'Never') } },
    after: { spec: { suspend: true, template: template({}, 'Never') } },
    theirs: add('/spec/activeDeadlineSeconds', 60),
    left: (live) => keysOf(live['spec']).filter((field) => /ttl|active/.test(field)),
    expected: ['activeDeadlineSeconds'],
  },
]
