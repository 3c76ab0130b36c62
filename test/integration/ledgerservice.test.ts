import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { crdNameOf } from '../../src/pure/kind.ts'
import type { StructuralSchema } from '../../src/api/structural.ts'
import golden from '../fixtures/ledger-services.json' with { type: 'json' }
import former from '../fixtures/ledgerservice-fields.json' with { type: 'json' }
import { dryRun } from '../kit/api-server.ts'
import { factsOf } from '../kit/crd-facts.ts'
import { everyField } from '../kit/every-field.ts'
import { ownServices } from '../kit/ledger-services.ts'
import { textBoundsOf } from '../kit/text-bounds.ts'

const file = new URL(`../../deploy/crds/${LedgerService.group}_${LedgerService.plural}.yaml`, import.meta.url)
const text = readFileSync(file, 'utf8')
const crd = parse(text) as {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: StructuralSchema } }[] }
}
const schema = crd.spec.versions[0]!.schema.openAPIV3Schema
const { spec, status } = schema.properties as Readonly<Record<'spec' | 'status', StructuralSchema>>

const needs = (list: string) => ({
  rules: [`!has(self.enabled) || !self.enabled || (has(self.${list}) && size(self.${list}) > 0)`],
})

/** Where we mean to differ. The former rules fail on what is not set: ours let an ingress be that is not enabled. */
const differences = {
  'spec.ingress': { ...former.fields['spec.ingress'], ...needs('hosts') },
  'spec.ingressGrpc': { ...former.fields['spec.ingressGrpc'], ...needs('hosts') },
  'spec.dnsEndpoint': { ...former.fields['spec.dnsEndpoint'], ...needs('endpoints') },
}

const requiredText = { required: true, type: 'string' }

/** What we say besides. */
const additions = {
  'status.authKeyCount': { type: 'integer', format: 'int64' },
  'status.authKeys': { type: 'array' },
  'status.authKeys[]': { type: 'object' },
  'status.authKeys[].agent': requiredText,
  'status.authKeys[].keyID': requiredText,
  'status.authKeys[].state': { ...requiredText, enum: ['Published', 'Loaded', 'Draining'] },
}

test('LSV-1 every field that the former operator knew is there, with its type, default and limits', () => {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...fields } = factsOf(schema)
  expect(Object.keys(former.fields)).toHaveLength(339)
  expect(fields).toEqual({ ...former.fields, ...differences, ...additions })
})

test('LSV-1 the definition is small enough for kubectl apply, which keeps a copy in an annotation', () => {
  expect(crd.metadata.name).toBe(crdNameOf(LedgerService))
  expect(text.length).toBeLessThan(262_144)
})

/** Where a text has a bound of ours other than the widest; the former operator's kind has none. */
const shortTexts = {
  64: ['spec.monitoring.flightRecorder.maxBytes', 'spec.resources.limits.*', 'spec.resources.requests.*'],
  253: ['spec.tls.secretName', 'spec.tls.caSecretKey'],
  1024: ['spec.clusterID', 'spec.bindAddr'],
  4096: ['spec.walDir', 'spec.dataDir', 'spec.auth.issuer', 'spec.auth.scopeMapping.*[]'],
}

test('LSV-41 every text in a spec has a greatest length', () => {
  const bounds = new Map(textBoundsOf(spec, 'spec'))
  expect([...bounds].filter(([, bound]) => bound === undefined)).toEqual([])
  for (const [bound, paths] of Object.entries(shortTexts))
    for (const path of paths) expect([path, bounds.get(path)]).toEqual([path, Number(bound)])
  expect(new Set(bounds.values())).toEqual(new Set([64, 253, 1024, 4096, 262_144]))
})

test('LSV-41 the API server refuses a quantity of more than 64 characters', async () => {
  await using services = await ownServices()
  const memory = (digits: number) => ({ spec: { resources: { limits: { memory: '1'.repeat(digits) } } } })
  expect(await services.create('fits', memory(64))).toMatchObject({ status: 201 })
  expect(await services.create('long', memory(65))).toMatchObject({ status: 422 })
  expect(await services.create('longer', memory(100_000))).toMatchObject({ status: 422 })
})

test('LSV-2 every field that is set is kept as it was written', async () => {
  await using services = await ownServices()
  const written = { spec: everyField(spec), status: everyField(status) as object }

  expect(await services.create('books', { spec: written.spec })).toMatchObject({ status: 201 })
  expect(await services.changeStatus('books', written.status)).toMatchObject({ status: 200 })

  const kept = await services.read('books')
  expect({ spec: kept.spec, status: kept.status }).toEqual(written)
})

test.each<[where: string, withAmount: (amount: unknown) => object]>([
  ['a field of ours', (size) => ({ persistence: { data: { size } } })],
  ['a type of Kubernetes’ own', (memory) => ({ resources: { limits: { memory } } })],
])('LSV-2 in %s an amount may be a number, and nothing but a number or an amount', async (_, withAmount) => {
  await using services = await ownServices()
  const write = (amount: unknown) => services.create('books', { spec: withAmount(amount) }, dryRun)

  for (const amount of [5, '5', '1.5Gi', '1e3']) expect(await write(amount)).toMatchObject({ status: 201 })
  for (const amount of [true, 'much', '5 Gi']) expect(await write(amount)).toMatchObject({ status: 422 })
})

const topLevelDefaults = {
  clusterID: 'default',
  bindAddr: '0.0.0.0:7777',
  walDir: '/data/raft',
  dataDir: '/data/app',
  grpcPort: 8888,
  httpPort: 9000,
  replicas: 3,
}

describe('a spec that says little', () => {
  test.each<[where: string, written: object, defaults: object]>([
    ['an empty spec', {}, {}],
    [
      'podAntiAffinity',
      { podAntiAffinity: {} },
      { podAntiAffinity: { enabled: true, type: 'soft', weight: 100, topologyKey: 'kubernetes.io/hostname' } },
    ],
    ['monitoring', { monitoring: { traces: {} } }, { monitoring: { serviceName: 'ledger', traces: {} } }],
    ['service', { service: {} }, { service: { type: 'ClusterIP', httpPort: 9000, grpcPort: 8888, raftPort: 7777 } }],
    ['headlessService', { headlessService: {} }, { headlessService: { enabled: true } }],
    [
      'signing',
      { responseSigning: {}, receiptSigning: {} },
      { responseSigning: { secretKey: 'seed' }, receiptSigning: { secretKey: 'key' } },
    ],
    [
      'ingress',
      { ingress: { hosts: [{ host: 'a', paths: [{}] }] } },
      { ingress: { hosts: [{ host: 'a', paths: [{ path: '/', pathType: 'Prefix' }] }] } },
    ],
    [
      'persistence',
      { persistence: { wal: {}, data: { hostPath: { path: '/a' } }, retentionPolicy: {} } },
      {
        persistence: {
          wal: { accessMode: 'ReadWriteOnce' },
          data: { accessMode: 'ReadWriteOnce', hostPath: { path: '/a', type: 'DirectoryOrCreate' } },
          retentionPolicy: { whenScaled: 'Retain', whenDeleted: 'Retain' },
          deletionProtection: true,
        },
      },
    ],
  ])(
    'LSV-3 what is not set gets the former operator’s default, and nothing else appears: %s',
    async (_, written, defaults) => {
      await using services = await ownServices()
      await services.create('books', { spec: written })
      expect((await services.read('books')).spec).toEqual({ ...topLevelDefaults, ...defaults })
    },
  )
})

describe.each(['clusterID', 'bindAddr', 'walDir', 'dataDir'])('%s', (field) => {
  test('LSV-4 it cannot change once it is set, and can be set when it is empty', async () => {
    await using services = await ownServices()
    await services.create('set', { spec: { [field]: 'one' } })
    await services.create('empty', { spec: { [field]: '' } })

    const refused = await services.change('set', { [field]: 'two' })
    const cleared = await services.change('set', { [field]: '' })
    const removed = await services.change('set', { [field]: null })

    expect(refused).toMatchObject({ status: 422 })
    expect(refused.body.message).toMatch(
      new RegExp(`spec.${field}: Invalid value: .*${field} cannot change once it is set$`),
    )
    expect([cleared.status, removed.status]).toEqual([422, 422])
    expect(await services.change('set', { [field]: 'one', replicas: 5 })).toMatchObject({ status: 200 })
    expect(await services.change('empty', { [field]: 'one' })).toMatchObject({ status: 200 })
    expect(await services.change('empty', { [field]: 'two' })).toMatchObject({ status: 422 })
  })
})

describe.each([
  {
    field: 'ingress',
    list: 'hosts',
    one: { host: 'ledger.example.dev' },
    says: 'an enabled ingress needs at least one host',
  },
  {
    field: 'ingressGrpc',
    list: 'hosts',
    one: { host: 'ledger.example.dev' },
    says: 'an enabled ingress needs at least one host',
  },
  {
    field: 'dnsEndpoint',
    list: 'endpoints',
    one: { dnsName: 'ledger.example.dev', targets: ['192.0.2.1'] },
    says: 'an enabled dnsEndpoint needs at least one endpoint',
  },
])('$field', ({ field, list, one, says }) => {
  test('LSV-5 when it is enabled it leads somewhere', async () => {
    await using services = await ownServices()
    const write = (value: object) => services.create('books', { spec: { [field]: value } }, dryRun)

    for (const bad of [{ enabled: true }, { enabled: true, [list]: [] }]) {
      const { status: code, body } = await write(bad)
      expect(code).toBe(422)
      expect(body.message).toContain(`spec.${field}: Invalid value: ${says}`)
    }
    for (const good of [
      {},
      { enabled: false },
      { enabled: false, [list]: [] },
      { [list]: [one] },
      { enabled: true, [list]: [one] },
    ])
      expect(await write(good)).toMatchObject({ status: 201 })
  })
})

test.each(golden.services.map((service) => ({ was: service.metadata.namespace, service })))(
  'LSV-6 the service that the former operator left in $was is taken as it is',
  async ({ service }) => {
    await using services = await ownServices()
    const { name, labels, annotations } = service.metadata
    const metadata = { name, labels, annotations }

    expect(await services.create(name, { metadata, spec: service.spec })).toMatchObject({ status: 201 })
    expect(await services.changeStatus(name, service.status)).toMatchObject({ status: 200 })

    const kept = await services.read(name)
    expect(kept).toMatchObject({ metadata })
    expect({ spec: kept.spec, status: kept.status }).toEqual({ spec: service.spec, status: service.status })
  },
)

test('LSV-7 of each type there is one condition', async () => {
  await using services = await ownServices()
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'Any',
    message: '',
    lastTransitionTime: '2026-01-02T03:04:05Z',
  })
  await services.create('books')

  const two = { conditions: [condition('Ready'), condition('ConfigValid')] }
  expect(await services.changeStatus('books', two)).toMatchObject({ status: 200 })
  const twice = await services.changeStatus('books', { conditions: [condition('Ready'), condition('Ready')] })
  expect(twice.status).toBe(422)
  expect(twice.body.message).toContain('status.conditions[1]: Duplicate value')
})
