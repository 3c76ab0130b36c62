import { expect, test } from 'vitest'
import { aFormerWorkload } from '../../../test/fixtures/service.ts'
import { aService } from '../../../test/kit/rendered-service.ts'
import { inOrderOf } from './env-order.ts'
import { renderStatefulSet } from './render/stateful-set.ts'
import { withRetained } from './retained.ts'

const variables = (...names: readonly string[]) => names.map((name) => ({ name, value: name.toLowerCase() }))
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(' ')

test('LSV-28 variables take the order that the container has', () => {
  const ordered = inOrderOf(variables('C', 'A', 'B'), [{ name: 'A', value: 'new' }, ...variables('B', 'C')])
  expect(ordered).toEqual([
    { name: 'C', value: 'c' },
    { name: 'A', value: 'new' },
    { name: 'B', value: 'b' },
  ])
})

test.for([
  { why: 'one is new', found: variables('B', 'A'), wanted: variables('A', 'B', 'C') },
  { why: 'one is gone', found: variables('C', 'B', 'A'), wanted: variables('A', 'B') },
  { why: 'one has another name', found: variables('B', 'X'), wanted: variables('A', 'B') },
  { why: 'the container has one twice', found: variables('B', 'A', 'B'), wanted: variables('A', 'B', 'C') },
])('LSV-28 variables keep their own order when $why', ({ found, wanted }) => {
  expect(inOrderOf(found, wanted)).toBe(wanted)
})

const url = { name: 'URL', value: 'http://$(HOST)' }

test('LSV-28 a variable that refers to another does not lose its value to the order', () => {
  const wanted = [...variables('HOST'), url]
  expect(names(inOrderOf([url, ...variables('HOST')], wanted))).toBe('HOST URL')
  expect(names(inOrderOf([...variables('HOST'), url], wanted))).toBe('HOST URL')
})

test('LSV-28 a variable that refers to another does not gain a value by the order', () => {
  const wanted = [url, ...variables('HOST')]
  expect(names(inOrderOf([...variables('HOST'), url], wanted))).toBe('URL HOST')
})

test('LSV-28 variables between which nothing refers move freely', () => {
  const wanted = [...variables('HOST', 'A'), url]
  expect(names(inOrderOf([...variables('A', 'HOST'), url], wanted))).toBe('A HOST URL')
})

const ownValues = ['ADVERTISE_ADDR', 'OTEL_RESOURCE_ATTRIBUTES'].map((name) => ({ name, value: 'without a reference' }))

test('LSV-28 pods keep the order of their variables as long as nothing else is wanted', () => {
  const spec = { tls: { enabled: true }, monitoring: { serviceName: 'shop' }, extraEnv: ownValues }
  const live = aFormerWorkload({ spec, env: (ours) => ours.toReversed() })
  const order = live.spec?.template?.spec?.containers?.[0]?.env ?? []
  const kept = withRetained(renderStatefulSet(aService(spec), undefined), live).spec.template.spec.containers[0]
  expect(names(kept?.env ?? [])).toBe(names(order))
  expect(kept?.command[2]).toBe('former script')
  const desired = renderStatefulSet(aService({ ...spec, debug: true }), undefined)
  expect(withRetained(desired, live)).toEqual(desired)
})

test('LSV-28 pods whose variables refer to others get the order in which these have a value', () => {
  const desired = renderStatefulSet(aService(), undefined)
  expect(withRetained(desired, aFormerWorkload({ spec: {}, env: (ours) => ours.toReversed() }))).toEqual(desired)
})
