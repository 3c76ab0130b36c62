import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anEntry } from '../../test/fixtures/agent.ts'
import type { Desired } from './effects.ts'
import { coversEveryPath, isInSync, withAppliedMark } from './in-sync.ts'
import type { FieldSet, KubeObject } from './object.ts'

/** Whether what we own, and nobody else, covers an object of which we read the metadata alone. */
const covers = (owned: FieldSet, object: Desired) =>
  coversEveryPath({ ours: owned, anyones: owned, live: undefined }, object)

/** The paths that an apply of this value owns: maps by field, lists of objects by `name`, other lists by value. */
const fieldsOf = (value: unknown): FieldSet => {
  if (Array.isArray(value)) return Object.fromEntries(value.map(itemOf))
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [`f:${field}`, fieldsOf(inner)]))
}

const itemOf = (item: unknown): [string, FieldSet] => {
  if (typeof item !== 'object' || item === null) return [`v:${JSON.stringify(item)}`, {}]
  const { name } = item as { name: unknown }
  return [`k:${JSON.stringify({ name })}`, { '.': {}, ...fieldsOf(item) }]
}

/** Each way to take one owned path out of a set of applied fields; a map or list that is left empty goes with it. */
const withOnePathLess = (set: FieldSet): readonly FieldSet[] =>
  Object.entries(set).flatMap(([step, below]) => {
    if (step === '.') return []
    const { [step]: _, ...without } = set
    const less = withOnePathLess(below).filter((remains) => Object.keys(remains).length > 0)
    return [without, ...less.map((remains) => ({ ...set, [step]: remains }))]
  })

const name = fc.stringMatching(/^[a-z][a-z.]{0,6}$/)
const map = fc.dictionary(name, fc.string(), { minKeys: 1, maxKeys: 4 })
const container = fc.record({ name, image: fc.string(), env: map })
const desired: fc.Arbitrary<Desired> = fc.record({
  metadata: fc.record({ name, namespace: name, labels: map, annotations: map }),
  type: fc.string(),
  spec: fc.record({
    replicas: fc.nat(),
    containers: fc.uniqueArray(container, { selector: (item) => item.name, minLength: 1, maxLength: 3 }),
    finalizers: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
  }),
})

const fieldsOfDesired = ({
  metadata: { name: _name, namespace: _namespace, ...metadata },
  ...rest
}: Desired): FieldSet => fieldsOf({ ...rest, metadata })

describe('a path that we want to own', () => {
  test('is covered by what an apply of the object itself owns', () => {
    fc.assert(fc.property(desired, (object) => covers(fieldsOfDesired(object), object)))
  })

  test('is missed when any one of them is taken away, whichever', () => {
    fc.assert(
      fc.property(desired, (object) => withOnePathLess(fieldsOfDesired(object)).every((less) => !covers(less, object))),
      { numRuns: 30 },
    )
  })

  test('is covered by an atomic map or list that is owned as a whole', () => {
    const metadata = { name: 'n' }
    expect(
      covers({ 'f:metadata': {}, 'f:spec': { 'f:selector': {} } }, { metadata, spec: { selector: { a: 1 } } }),
    ).toBe(true)
    expect(covers({ 'f:metadata': {}, 'f:spec': { 'f:list': {} } }, { metadata, spec: { list: [1, 2] } })).toBe(true)
  })

  test('may be undefined in the object, and then nobody need own it', () => {
    expect(covers({ 'f:metadata': {} }, { metadata: { name: 'n' }, type: undefined })).toBe(true)
  })
})

const from = { namespace: 'system', name: 'canonical', uid: 'u', resourceVersion: '1' }
const aReplica = (more: object = {}): Desired => ({
  metadata: { namespace: 'a', name: 'r', labels: { agent: 'biller' } },
  type: 'Opaque',
  data: { 'seed.hex': { from, field: 'seed.hex', fingerprint: 'f1' } },
  ...more,
})

describe('the mark of what we want', () => {
  const markOf = (object: Desired) => withAppliedMark(object).metadata.annotations?.['holdfast.dev/applied']

  test('is the same when the same value is read from another version of its source', () => {
    const data = { 'seed.hex': { from: { ...from, resourceVersion: '2' }, field: 'seed.hex', fingerprint: 'f1' } }
    expect(markOf(aReplica({ data }))).toBe(markOf(aReplica()))
  })

  test.for([
    { what: 'a value', more: { data: { 'seed.hex': { from, field: 'seed.hex', fingerprint: 'f2' } } } },
    { what: 'a field', more: { type: 'Other' } },
    { what: 'the data', more: { data: undefined } },
    { what: 'what a ConfigMap says', more: { data: { 'seed.hex': 'f2' } } },
  ])('is another one when $what is another one', ({ more }) => {
    expect(markOf(aReplica(more))).not.toBe(markOf(aReplica()))
  })

  test('stands beside the annotations that we want', () => {
    const metadata = { name: 'r', annotations: { note: 'x' } }
    expect(withAppliedMark({ metadata }).metadata.annotations).toMatchObject({ note: 'x' })
  })
})

describe('a live object', () => {
  const marked = withAppliedMark(aReplica())
  const owned = {
    'f:metadata': { 'f:labels': { 'f:agent': {} }, 'f:annotations': { 'f:holdfast.dev/applied': {} } },
    'f:type': {},
    'f:data': { '.': {}, 'f:seed.hex': {} },
  }
  const live = (fieldsV1: FieldSet, annotations = marked.metadata.annotations ?? {}): KubeObject => {
    const metadata = {
      name: 'r',
      uid: 'u',
      resourceVersion: '1',
      annotations,
      managedFields: [anEntry({ manager: 'm', fieldsV1 })],
    }
    return { apiVersion: 'v1', kind: 'Secret', metadata }
  }

  test('is in sync when it carries our mark and we own all that we want', () => {
    expect(isInSync(live(owned), marked, 'm')).toBe(true)
  })

  test('is not in sync for a manager that wrote nothing to it', () => {
    expect(isInSync(live(owned), marked, 'somebody')).toBe(false)
  })

  test('is not in sync when its mark was changed or taken off', () => {
    expect(isInSync(live(owned, { 'holdfast.dev/applied': 'x' }), marked, 'm')).toBe(false)
    expect(isInSync(live(owned, {}), marked, 'm')).toBe(false)
  })

  test.for([
    { what: 'a Secret value', fields: { ...owned, 'f:data': { '.': {} } } },
    { what: 'every Secret value', fields: { ...owned, 'f:data': {} } },
    { what: 'its type', fields: { 'f:metadata': owned['f:metadata'], 'f:data': owned['f:data'] } },
    {
      what: 'our only label (the server then leaves us the map alone, as an empty set)',
      fields: { ...owned, 'f:metadata': { ...owned['f:metadata'], 'f:labels': {} } },
    },
  ])('LCA-7 is not in sync when somebody changed $what', ({ fields }) => {
    expect(isInSync(live(fields), marked, 'm')).toBe(false)
  })
})

describe('an item of a list', () => {
  const coversList = (owned: FieldSet, list: readonly unknown[]) =>
    covers({ 'f:metadata': {}, 'f:list': owned }, { metadata: { name: 'n' }, list })

  test.for([
    { name: 'of a set is owned by its value', owned: { 'v:"a"': {} }, list: ['a'], expected: true },
    { name: 'of a set is not owned by another value', owned: { 'v:"b"': {} }, list: ['a'], expected: false },
    { name: 'that is null is owned by value alone', owned: { 'k:{"name":"a"}': {} }, list: [null], expected: false },
    {
      name: 'of a map is owned by its key',
      owned: { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } },
      list: [{ name: 'a' }],
      expected: true,
    },
    {
      name: 'of a map may be owned as a whole',
      owned: { 'k:{"name":"a"}': {} },
      list: [{ name: 'a', kind: 'x' }],
      expected: true,
    },
    {
      name: 'of a map needs all of its keys',
      owned: { 'k:{"name":"a","port":1}': { '.': {}, 'f:name': {}, 'f:port': {} } },
      list: [{ name: 'a', port: 2 }],
      expected: false,
    },
    {
      name: 'of a map is not owned below its key',
      owned: { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } },
      list: [{ name: 'a', image: 'x' }],
      expected: false,
    },
  ])('$name', ({ owned, list, expected }) => {
    expect(coversList(owned, list)).toBe(expected)
  })
})
