import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import coreSchemas from '../../src/api/core-schemas.json' with { type: 'json' }
import { crdOf } from '../../src/api/crd.ts'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ledgerClusterAgentDefinition } from '../../src/api/ledgerclusteragent-definition.ts'
import { ledgerServiceDefinition } from '../../src/api/ledgerservice-definition.ts'
import { structuralSchemaOf } from '../../src/api/structural.ts'
import { claimAnnotation } from '../../src/pure/names.ts'
import { readCoreSchemas } from '../../tools/core-schemas.ts'
import formerAgent from '../fixtures/ledgerclusteragent-fields.json' with { type: 'json' }
import formerService from '../fixtures/ledgerservice-fields.json' with { type: 'json' }
import { ApiServer, dryRun } from '../kit/api-server.ts'
import { factsOf } from '../kit/crd-facts.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { aSuite } from '../kit/suite.ts'
import { textBoundsOf } from '../kit/text-bounds.ts'

const crds = new URL('../../deploy/crds/', import.meta.url)

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
  expect(coreSchemas).toEqual(await readCoreSchemas(sharedConnection().port))
})

describe.each([
  { definition: ledgerClusterAgentDefinition, former: formerAgent },
  { definition: ledgerServiceDefinition, former: formerService },
])('$definition.kind', ({ definition, former }) => {
  test('it has the names, group, version and scope of the former operator’s', () => {
    const { group, names, scope, versions } = crdOf(definition).spec
    expect({ group, scope, version: versions[0]?.name }).toEqual({
      group: former.group,
      scope: former.scope,
      version: former.version,
    })
    expect(names).toMatchObject(former.names)
  })

  test('the former operator’s columns come first', () => {
    const columns = definition.columns.map(({ name, type, jsonPath }) => ({ name, type, jsonPath }))
    expect(columns.slice(0, former.columns.length)).toEqual(former.columns)
  })
})

test('the agent’s fields are those of the former operator’s, with the same types, and what we add', () => {
  const { spec, status } = ledgerClusterAgentDefinition
  const properties = { spec: structuralSchemaOf(spec), status: structuralSchemaOf(status) }
  const facts = Object.entries(factsOf({ type: 'object', properties }))
  const counts = ['matchedService', 'distributedSecret', 'target', 'generation'].map((what) => `status.${what}Count`)
  const added = [
    'status.targets',
    'status.generations',
    'status.keyMade',
    'status.orphanedServices',
    'spec.rotation',
    ...counts,
  ]
  const isAdded = ([path]: (typeof facts)[number]) => added.some((prefix) => path.startsWith(prefix))
  expect(Object.fromEntries(facts.filter((fact) => !isAdded(fact)))).toEqual(formerAgent.fields)
  expect(facts.filter(isAdded)).toHaveLength(25)
})

test('LCA-67 every text in a spec has a greatest length', () => {
  const bounds = textBoundsOf(structuralSchemaOf(ledgerClusterAgentDefinition.spec), 'spec')
  expect(Object.fromEntries(bounds)).toEqual({
    'spec.selector.matchExpressions[].key': 1024,
    'spec.selector.matchExpressions[].operator': 1024,
    'spec.selector.matchExpressions[].values[]': 1024,
    'spec.selector.matchLabels.*': 1024,
    'spec.scopes[]': 1024,
    'spec.additionalNamespaces[]': 253,
    'spec.rotation.every': 40,
    'spec.rotation.overlap': 40,
  })
})

test.each([
  ['1s', false],
  ['0d', false],
  ['59m59s', false],
  ['59m60s', true],
  ['60m', true],
  ['30m30m', true],
  ['3599s', false],
  ['3600s', true],
  ['0003600s', true],
  ['0000000000000000000000000000000000001s', false],
  ['1h', true],
  ['0h1d', true],
  ['90d', true],
  ['999999s', true],
  ['1000000s', true],
  ['999999999999999999999999999999999999999d', true],
])('LCA-68 spec.rotation.every is at least 1h: %s', async (every, isTaken) => {
  const { group, version, plural } = LedgerClusterAgent
  const { apiVersion, kind } = { apiVersion: `${group}/${version}`, kind: LedgerClusterAgent.kind }
  const agent = {
    apiVersion,
    kind,
    metadata: { name: 'x' },
    spec: { selector: { matchLabels: { a: 'b' } }, rotation: { every } },
  }
  const server = new ApiServer(sharedConnection().port)
  const { status, body } = await server.post(`/apis/${group}/${version}/${plural}`, agent, dryRun)
  expect({ status, message: body.message }).toMatchObject(
    isTaken ? { status: 201 } : { status: 422, message: expect.stringContaining('at least 1h') as string },
  )
})

test('LCA-28 the API server takes an agent’s name of 63 characters and refuses one of 64', async () => {
  await using suite = await aSuite([])
  const longest = `${suite.named('x')}-`.padEnd(63, 'x')
  const create = (name: string) =>
    suite.user.create(LedgerClusterAgent, {
      metadata: { name, annotations: { [claimAnnotation]: suite.operatorNamespace } },
      spec: { selector: { matchLabels: suite.labels } },
    })
  await create(longest)
  await suite.user.delete(LedgerClusterAgent, { name: longest })
  await expect(create(`${longest}x`)).rejects.toThrow(/422 .*at most 63 characters/)
})
