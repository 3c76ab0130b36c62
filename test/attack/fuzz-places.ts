import { attacker } from './attacked-cluster.ts'
import { operatorNamespace } from './operator-process.ts'
import { configMaps, ledgerServices, pods, secrets, statefulSets } from './paths.ts'
import { keyListOf, replicaOf } from './tenancies.ts'

/** The kinds of objects that are attacked; of each there is one for every hostile value. */
export const attackedKinds = {
  replica: (name: string) => secrets(attacker, replicaOf(name)),
  keyList: (name: string) => configMaps(attacker, keyListOf(name)),
  workload: (name: string) => statefulSets(attacker, `ledger-${name}`),
  service: (name: string) => `/api/v1/namespaces/${attacker}/services/ledger-${name}`,
  serviceAccount: (name: string) => `/api/v1/namespaces/${attacker}/serviceaccounts/ledger-${name}`,
  pod: (name: string) => pods(attacker, `ledger-${name}-0`),
  ledgerService: (name: string) => ledgerServices(attacker, name),
} as const

export type AttackedKind = keyof typeof attackedKinds

/** Somewhere to put a value: the patch, as text, for the object of this name. */
export interface Place {
  readonly what: string
  readonly patch: (value: string) => string
  readonly subresource?: 'status'
  /** The patch that takes it back, for what the operator does not repair; absent: with null for the value. */
  readonly undo?: (name: string) => string
}

const label = (key: string): Place => ({
  what: `label ${key}`,
  patch: (value) => `{"metadata":{"labels":{"${key}":${value}}}}`,
})

const annotation = (key: string): Place => ({
  what: `annotation ${key}`,
  patch: (value) => `{"metadata":{"annotations":{"${key}":${value}}}}`,
})

const finalizers: Place = {
  what: 'finalizers',
  patch: (value) => `{"metadata":{"finalizers":[${value}]}}`,
  undo: () => '{"metadata":{"finalizers":null}}',
}

const owner = (field: 'kind' | 'name'): Place => {
  const other = field === 'kind' ? '"name":"x"' : '"kind":"LedgerService"'
  return {
    what: `owner's ${field}`,
    patch: (value) =>
      `{"metadata":{"ownerReferences":[{"apiVersion":"ledger.formance.com/v1alpha1","uid":"x",${other},"${field}":${value}}]}}`,
  }
}

const managedFields = (apiVersion: string): readonly Place[] => {
  const entry = (rest: string) =>
    `{"metadata":{"managedFields":[{"operation":"Update","apiVersion":"${apiVersion}","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1",${rest}}]}}`
  return [
    { what: 'field manager', patch: (value) => entry(`"manager":${value},"fieldsV1":{"f:data":{}}`) },
    { what: 'managed fields', patch: (value) => entry(`"manager":"x","fieldsV1":{"f:data":${value}}`) },
  ]
}

const field = (path: readonly string[]): Place => ({
  what: path.join('.'),
  patch: (value) => path.map((step) => `{${JSON.stringify(step)}:`).join('') + value + '}'.repeat(path.length),
})

/** The data of a Secret is base64; a value that is no string is sent unchanged. */
const secretData = (key: string): Place => ({
  what: `data ${key}`,
  patch: (value) => {
    const isText = value.startsWith('"')
    const content = isText ? `"${Buffer.from(JSON.parse(value) as string).toString('base64')}"` : value
    return `{"data":{"${key}":${content}}}`
  },
})

const nameOfFile = (content: string): Place => ({
  what: 'name of a file',
  patch: (value) => `{"data":{${value.startsWith('"') ? value : JSON.stringify(value)}:"${content}"}}`,
})

/** A field of an entry of a key list, or of the list itself. */
const listed = (what: string, json: (value: string) => string): Place => ({
  what: `auth-keys.json: ${what}`,
  patch: (value) => JSON.stringify({ data: { 'auth-keys.json': json(value) } }),
})

const entryWith = (name: string) => (value: string) => {
  const fields = ['keyId', 'publicKeyFile', 'scopes', 'god', 'kid'].filter((other) => other !== name)
  return `{"keys":[{${fields.map((other) => `"${other}":"x"`).join(',')},"${name}":${value}}]}`
}

const reasonOfPod: Place = {
  what: 'reason and message of a container',
  subresource: 'status',
  patch: (value) =>
    `{"status":{"phase":"Pending","containerStatuses":[{"name":"ledger","image":"x","imageID":"","ready":false,"restartCount":0,"state":{"waiting":{"reason":${value},"message":${value}}}}]}}`,
}

const environment: Place = {
  what: 'environment of the ledger',
  patch: (value) =>
    `{"spec":{"template":{"spec":{"containers":[{"name":"ledger","env":[{"name":"AUTH_ENABLED","value":${value}}]}]}}}}`,
}

const volume: Place = {
  what: 'volume of the keys',
  patch: (value) => `{"spec":{"template":{"spec":{"volumes":[{"name":"auth-keys","configMap":{"name":${value}}}]}}}}`,
}

const managedBy = label('app.kubernetes.io/managed-by')
const instance = label('app.kubernetes.io/instance')
const templateAnnotation = (key: string) => field(['spec', 'template', 'metadata', 'annotations', key])

const claim = `{"metadata":{"annotations":{"holdfast.dev/operator":"${operatorNamespace}"}}}`
const selected = (name: string): string => `{"metadata":{"labels":{"books":"${name}"}}}`

/** Every field that a tenant can write and the operator reads. */
export const places: Readonly<Record<AttackedKind, readonly Place[]>> = {
  replica: [
    ...[label('ledger.formance.com/agent-name'), label('x'), secretData('seed.hex'), secretData('key-id')],
    ...[secretData('pubkey.hex'), nameOfFile('eA=='), field(['type']), owner('kind'), finalizers],
    ...['key-id', 'generation', 'applied', 'delete'].map((key) => annotation(`holdfast.dev/${key}`)),
    ...[...managedFields('v1'), field(['immutable'])],
  ],
  keyList: [
    ...[managedBy, instance, field(['data', 'auth-keys.json']), nameOfFile('x'), field(['binaryData', 'x'])],
    ...[listed('keys', (value) => `{"keys":${value}}`), listed('all', (value) => value)],
    ...['keyId', 'publicKeyFile', 'scopes', 'god'].map((name) => listed(name, entryWith(name))),
    ...['keys-revision', 'applied'].map((key) => annotation(`holdfast.dev/${key}`)),
    ...[owner('name'), ...managedFields('v1'), field(['immutable'])],
  ],
  workload: [
    ...[managedBy, instance, environment, volume, owner('kind'), annotation('holdfast.dev/applied')],
    ...['ledger.formance.com/auth-keys-hash', 'ledger.formance.com/spec-hash'].map(templateAnnotation),
    ...[templateAnnotation('holdfast.dev/keys-revision'), ...managedFields('apps/v1')],
  ],
  service: [managedBy, instance, annotation('holdfast.dev/applied'), owner('name'), ...managedFields('v1')],
  serviceAccount: [managedBy, instance, annotation('holdfast.dev/applied'), owner('kind'), ...managedFields('v1')],
  pod: [instance, label('app.kubernetes.io/name'), reasonOfPod, finalizers, annotation('holdfast.dev/keys-revision')],
  ledgerService: [
    ...['reconcile', 'paused'].map((key) => annotation(`holdfast.dev/${key}`)),
    { ...annotation('holdfast.dev/operator'), undo: () => claim },
    ...[
      ['image', 'tag'],
      ['image', 'repository'],
      ['image', 'pullPolicy'],
      ['podAnnotations', 'x'],
    ].map((path) => field(['spec', ...path])),
    ...[
      field(['spec', 'resources', 'limits', 'memory']),
      field(['spec', 'serviceAccount', 'name']),
      { ...label('books'), undo: selected },
    ],
  ],
}
