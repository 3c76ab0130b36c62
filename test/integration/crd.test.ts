import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import coreSchemas from '../../src/api/core-schemas.json' with { type: 'json' }
import { crdOf } from '../../src/api/crd.ts'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ledgerClusterAgentDefinition } from '../../src/api/ledgerclusteragent-definition.ts'
import type { StructuralSchema } from '../../src/api/structural.ts'
import { claimAnnotation } from '../../src/pure/names.ts'
import { extractCoreSchemas, type Schema } from '../../tools/core-schemas.ts'
import upstream from '../fixtures/ledgerclusteragent-fields.json' with { type: 'json' }
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { aSuite } from '../kit/suite.ts'

const crds = new URL('../../deploy/crds/', import.meta.url)

const crd = crdOf(ledgerClusterAgentDefinition)

/** The schemas of all fields by path, each with whether its parent requires it. */
const fieldsOf = (schema: StructuralSchema, path = ''): [string, { schema: StructuralSchema; required: boolean }][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const here = path === '' ? name : `${path}.${name}`
    const required = schema.required?.includes(name) ?? false
    const items: [string, { schema: StructuralSchema; required: boolean }][] =
      child.items === undefined ? [] : [[`${here}[]`, { schema: child.items, required: false }]]
    const below = child.items === undefined ? fieldsOf(child, here) : fieldsOf(child.items, `${here}[]`)
    return [[here, { schema: child, required }], ...items, ...below]
  })

const fields = new Map(fieldsOf(crd.spec.versions[0]?.schema.openAPIV3Schema as unknown as StructuralSchema))

const withoutDescription = ({ description: _, ...schema }: StructuralSchema): object => schema

test.for(readdirSync(crds))('the API server takes deploy/crds/%s as it is, strictly', async (file) => {
  const { port } = sharedConnection()
  const body = JSON.stringify(parse(readFileSync(new URL(file, crds), 'utf8')))
  const { name } = (JSON.parse(body) as { metadata: { name: string } }).metadata
  const reply = await port.call(
    {
      method: 'PATCH',
      path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
      query: { fieldManager: 'strict', fieldValidation: 'Strict', force: 'true', dryRun: 'All' },
      accept: 'application/json',
      contentType: 'application/apply-patch+yaml',
      body,
    },
    AbortSignal.timeout(30_000),
  )
  expect(reply).toMatchObject({ status: 200 })
})

test('the schemas of Kubernetes’ own types are those of the running server', async () => {
  const { port } = sharedConnection()
  const request = { method: 'GET', path: '/openapi/v3/api/v1', query: {}, accept: 'application/json' } as const
  const { body } = await port.call(request, AbortSignal.timeout(30_000))
  const { components } = JSON.parse(body) as { components: { schemas: Record<string, Schema> } }
  expect(coreSchemas).toEqual(extractCoreSchemas(components.schemas))
})

test('the kind has the names, group, version and scope of the former operator’s', () => {
  const { group, names, scope, versions } = crd.spec
  expect({ group, scope, version: versions[0]?.name }).toEqual({
    group: upstream.group,
    scope: upstream.scope,
    version: upstream.version,
  })
  expect(names).toMatchObject(upstream.names)
})

test.for(Object.entries(upstream.fields))(
  'the former operator’s field %s is ours with the same type',
  ([path, field]) => {
    const ours = fields.get(path)
    expect(ours?.required).toBe('required' in field)
    if (field.type === 'meta/v1 LabelSelector')
      expect(withoutDescription(ours!.schema)).toEqual(coreSchemas.LabelSelector)
    else if (field.type === 'meta/v1 Condition[]') expect(ours?.schema.items).toEqual(coreSchemas.Condition)
    else expect(ours?.schema.type).toBe(field.type)
    expect(ours?.schema.format).toBe('format' in field ? field.format : undefined)
    if ('items' in field) expect(ours?.schema.items?.type).toBe(field.items)
  },
)

test('the former operator’s columns come first', () => {
  const columns = ledgerClusterAgentDefinition.columns.map(({ name, type, jsonPath }) => ({ name, type, jsonPath }))
  expect(columns.slice(0, upstream.columns.length)).toEqual(upstream.columns)
})

test('LCA-28 the API server takes an agent’s name of 63 characters and refuses one of 64', async () => {
  await using suite = await aSuite([])
  const longest = `${suite.named('x')}-`.padEnd(63, 'x')
  const create = (name: string) =>
    suite.user.create(LedgerClusterAgent, {
      metadata: { name, annotations: { [claimAnnotation]: suite.operatorNamespace } },
      spec: { selector: {} },
    })
  await create(longest)
  await suite.user.delete(LedgerClusterAgent, { name: longest })
  await expect(create(`${longest}x`)).rejects.toThrow(/422 .*at most 63 characters/)
})
