import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { spec as schema } from '../../../api/ledgerservice-schema.ts'
import { type StructuralSchema, structuralSchemaOf } from '../../../api/structural.ts'
import { everyField } from '../../../../test/kit/every-field.ts'
import { aService } from '../../../../test/kit/rendered-service.ts'
import { unrendered, unsupportedFieldsOf } from '../unrendered.ts'
import { renderChildren } from './children.ts'

interface Leaf {
  readonly path: string
  /** What the field is changed to: nothing, where it may be missing. */
  readonly other: 'another' | undefined
}

/** The fields that hold no fields of their own; Kubernetes' own types count as one. */
const leavesOf = ({ properties = {}, required = [] }: StructuralSchema, path = ''): readonly Leaf[] =>
  Object.entries(properties).flatMap(([name, inner]) =>
    inner.properties === undefined
      ? [{ path: `${path}${name}`, other: required.includes(name) ? 'another' : undefined }]
      : leavesOf(inner, `${path}${name}.`),
  )
const leaves = leavesOf(structuralSchemaOf(schema, (coreType) => ({ type: coreType })))

type Spec = Readonly<Record<string, unknown>>
const full = everyField(structuralSchemaOf(schema)) as Spec

const withValue = (spec: Spec, [step = '', ...rest]: readonly string[], value: unknown): Spec => ({
  ...spec,
  [step]: rest.length === 0 ? value : withValue((spec[step] ?? {}) as Spec, rest, value),
})

const fullBut = (changes: Spec): Spec =>
  Object.entries(changes).reduce((spec, [path, value]) => withValue(spec, path.split('.'), value), full)

/** Some fields count only beside others: each has its effect in at least one of these specs. */
const specs = [
  full,
  fullBut({
    'headlessService.enabled': true,
    'podAntiAffinity.enabled': true,
    'podAntiAffinity.type': 'soft',
    'monitoring.serviceName': 'a-name',
    'persistence.retentionPolicy': { whenScaled: 'Delete', whenDeleted: 'Delete' },
    resources: { limits: { memory: '1Gi' } },
  }),
  fullBut({ 'podAntiAffinity.enabled': true, 'serviceAccount.create': false }),
]

const rendered = (spec: Spec) => JSON.stringify(renderChildren(aService(spec), undefined))
const before = specs.map(rendered)
const hasEffect = ({ path, other }: Leaf) =>
  specs.some((spec, index) => rendered(withValue(spec, path.split('.'), other)) !== before[index])

const isUnrendered = ({ path }: Leaf) => unrendered.some((outer) => path === outer || path.startsWith(`${outer}.`))

test('LSV-10 every field either changes what a service becomes or is named as one without effect, never both', () => {
  expect(leaves.length).toBeGreaterThan(200)
  expect(leaves.filter((leaf) => hasEffect(leaf) === isUnrendered(leaf)).map(({ path }) => path)).toEqual([])
})

test('LSV-10 this kind’s page names the fields without effect', () => {
  const page = readFileSync(new URL('../../../../docs/specs/ledgerservice.md', import.meta.url), 'utf8')
  const listed = /## Without effect\n([^]*?)(?=\n## |$)/.exec(page)?.[1] ?? ''
  expect([...listed.matchAll(/^- `(.+?)`/gm)].map(([, path]) => path)).toEqual([...unrendered])
})

test('LSV-11 a service tells which of its fields have no effect', () => {
  const spec = {
    ingress: { enabled: true, hosts: [{ host: 'ledger.example' }] },
    persistence: { wal: { hostPath: { path: '/srv/wal' } } },
    readIndex: { pebble: { maxCheckpoints: 3, cacheSize: '64Mi' } },
    restore: true,
  }
  expect(unsupportedFieldsOf(schema.parse(spec))).toEqual([
    'restore',
    'ingress',
    'persistence.wal.hostPath',
    'readIndex.pebble.maxCheckpoints',
  ])
})

test('LSV-11 what is switched off or empty is not told', () => {
  const off = { restore: false, ingress: { enabled: false }, networkPolicy: {}, dnsEndpoint: { enabled: false } }
  expect(unsupportedFieldsOf(schema.parse(off))).toEqual([])
  expect(unsupportedFieldsOf(schema.parse({}))).toEqual([])
})
