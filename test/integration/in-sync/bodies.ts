import fc from 'fast-check'
import type { KindName } from './kinds.ts'
import { labels, listBy, name, podTemplate, portNumber, protocol, some, text } from './pod.ts'

/** An object without its metadata. */
export type Body = Readonly<Record<string, unknown>>

const base64 = text.map((value) => Buffer.from(value).toString('base64'))
const values = fc.dictionary(name, text, { minKeys: 1, maxKeys: 4 })
const encoded = fc.dictionary(name, base64, { minKeys: 1, maxKeys: 4 })

/** A ConfigMap has each key once, in `data` or in `binaryData`. */
const binary = fc.dictionary(
  name.map((key) => `bin.${key}`),
  base64,
  { minKeys: 1, maxKeys: 4 },
)

const claimTemplate = {
  metadata: { name: 'kept' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

const selector = some(
  {
    matchLabels: labels,
    matchExpressions: fc.array(fc.record({ key: name, operator: fc.constant('Exists') }), { maxLength: 2 }),
  },
  [],
)

const rule = some(
  {
    apiGroups: fc.constant(['']),
    resources: fc.subarray(['pods', 'secrets', 'configmaps'], { minLength: 1 }),
    verbs: fc.subarray(['get', 'list', 'watch', 'create'], { minLength: 1 }),
    resourceNames: fc.array(name, { maxLength: 2 }),
  },
  ['apiGroups', 'resources', 'verbs'],
)

const subject = fc.oneof(
  fc.record({ kind: fc.constant('ServiceAccount'), name, namespace: name }),
  fc.record({ kind: fc.constant('User'), name, apiGroup: fc.constant('rbac.authorization.k8s.io') }),
)

const peer = fc.oneof(
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector: selector, podSelector: selector }),
  fc.record({ ipBlock: fc.constant({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }) }),
)
const policyPorts = fc.array(some({ protocol, port: portNumber }, ['port']), { minLength: 1, maxLength: 2 })
const peers = fc.array(peer, { minLength: 1, maxLength: 2 })

const servicePort = some({ name, port: portNumber, protocol, targetPort: fc.oneof(portNumber, name) }, [
  'name',
  'port',
  'protocol',
])
const servicePorts = fc.uniqueArray(servicePort, {
  comparator: (a, b) => a.name === b.name || (a.port === b.port && a.protocol === b.protocol),
  minLength: 1,
  maxLength: 3,
})

const replicas = fc.integer({ min: 0, max: 3 })

/** What each kind may be asked to be: valid for the API server, its list keys in full. */
export const bodies: Readonly<Record<KindName, fc.Arbitrary<Body>>> = {
  Secret: fc.record({ type: fc.constantFrom('Opaque', 'example.com/key'), data: encoded }),
  ConfigMap: some({ data: values, binaryData: binary }, []),
  StatefulSet: labels.chain((selected) =>
    fc.record({
      spec: some(
        {
          serviceName: name,
          selector: fc.constant({ matchLabels: selected }),
          template: podTemplate(selected, 'Always'),
          replicas,
          podManagementPolicy: fc.constantFrom('OrderedReady', 'Parallel'),
          updateStrategy: fc.constantFrom(
            { type: 'OnDelete' },
            { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
          ),
          volumeClaimTemplates: fc.constant([claimTemplate]),
        },
        ['serviceName', 'selector', 'template'],
      ),
    }),
  ),
  Deployment: labels.chain((selected) =>
    fc.record({
      spec: some(
        {
          selector: fc.constant({ matchLabels: selected }),
          template: podTemplate(selected, 'Always'),
          replicas,
          strategy: fc.constantFrom(
            { type: 'Recreate' },
            { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
          ),
          revisionHistoryLimit: fc.nat(10),
          paused: fc.boolean(),
        },
        ['selector', 'template'],
      ),
    }),
  ),
  Service: fc.record({
    spec: some(
      {
        ports: servicePorts,
        selector: labels,
        type: fc.constantFrom('ClusterIP', 'NodePort'),
        sessionAffinity: fc.constantFrom('None', 'ClientIP'),
        externalIPs: fc.constant(['192.0.2.1']),
        publishNotReadyAddresses: fc.boolean(),
      },
      ['ports'],
    ),
  }),
  ServiceAccount: some(
    {
      automountServiceAccountToken: fc.boolean(),
      imagePullSecrets: listBy(fc.record({ name }), (one) => one.name, { min: 1, max: 3 }),
      secrets: listBy(fc.record({ name }), (one) => one.name, { max: 3 }),
    },
    [],
  ),
  Role: fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 3 }) }),
  RoleBinding: fc.record({
    roleRef: name.map((role) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role })),
    subjects: fc.array(subject, { minLength: 1, maxLength: 3 }),
  }),
  NetworkPolicy: fc.record({
    spec: some(
      {
        podSelector: selector,
        policyTypes: fc.constantFrom(['Ingress'], ['Ingress', 'Egress']),
        ingress: fc.array(some({ from: peers, ports: policyPorts }, []), { minLength: 1, maxLength: 2 }),
        egress: fc.array(some({ to: peers, ports: policyPorts }, []), { minLength: 1, maxLength: 2 }),
      },
      ['podSelector', 'policyTypes'],
    ),
  }),
  Job: labels.chain((chosen) =>
    fc.record({
      spec: some(
        {
          template: podTemplate(chosen, 'Never'),
          backoffLimit: fc.nat(6),
          parallelism: fc.integer({ min: 1, max: 3 }),
          suspend: fc.constant(true),
          ttlSecondsAfterFinished: fc.integer({ min: 60, max: 600 }),
          activeDeadlineSeconds: fc.integer({ min: 60, max: 600 }),
        },
        ['template', 'suspend'],
      ),
    }),
  ),
}
