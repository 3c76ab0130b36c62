import { expect, test } from 'vitest'
import { checkInstallation } from '../../src/cli/install/check.ts'
import { exitCodeOf } from '../../src/cli/install/install.ts'
import { ownNamespaces } from '../kit/namespaces.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'

const thing = (group: string, properties: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
    ],
  },
})

test('--check refuses an installation that would narrow a kind which is installed', async () => {
  await using home = await ownNamespaces()
  const { port } = sharedConnection()
  const group = `g${home.id}.example.dev`
  const spec = (...fields: readonly string[]) => ({
    spec: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) },
  })
  const crd = thing(group, spec('kept', 'lost'))
  await home.api.mustApply([crd])

  const narrower = await checkInstallation(port, [thing(group, spec('kept'))], AbortSignal.timeout(30_000))
  const wider = await checkInstallation(port, [thing(group, spec('kept', 'lost', 'more'))], AbortSignal.timeout(30_000))
  await home.api.delete(await home.api.pathOf(crd))

  expect(narrower.narrowings).toEqual([`CustomResourceDefinition things.${group}: v1.spec.lost: the field would go`])
  expect(exitCodeOf(narrower)).toBe(3)
  expect(wider.narrowings).toEqual([])
  expect(wider.differences).toEqual([
    `CustomResourceDefinition things.${group}: differs at spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.more`,
  ])
  expect(exitCodeOf(wider)).toBe(1)
})

test('--check sums up descriptions, and lists no more than 20 other paths of an object', async () => {
  await using home = await ownNamespaces()
  const { port } = sharedConnection()
  const group = `g${home.id}.example.dev`
  const fieldsWith = (describe: (n: number) => object) =>
    Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`f${10 + n}`, { type: 'string', ...describe(n) }]))
  const crd = thing(group, { ...fieldsWith((n) => ({ description: `was ${n}` })), description: { type: 'string' } })
  await home.api.mustApply([crd])
  const differencesTo = async (properties: object) =>
    (await checkInstallation(port, [thing(group, properties)], AbortSignal.timeout(30_000))).differences

  const described = fieldsWith((n) => ({ description: `is ${n}` }))
  const onlyDescribed = await differencesTo({ ...described, description: { type: 'string' } })
  const changed = fieldsWith((n) => ({ description: `is ${n}`, maxLength: 5 }))
  const all = await differencesTo({ ...changed, description: { type: 'string', maxLength: 5 } })
  await home.api.delete(await home.api.pathOf(crd))

  const what = `CustomResourceDefinition things.${group}`
  const field = (name: string) => `spec.versions[0].schema.openAPIV3Schema.properties.${name}.maxLength`
  expect(onlyDescribed).toEqual([`${what}: 25 descriptions differ`])
  expect(all).toEqual([
    `${what}: 25 descriptions differ`,
    `${what}: differs at ${field('description')}`,
    ...Array.from({ length: 19 }, (_, n) => `${what}: differs at ${field(`f${10 + n}`)}`),
    `${what}: and at 6 other paths`,
  ])
})
