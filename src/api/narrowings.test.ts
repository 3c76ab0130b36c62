import { describe, expect, test } from 'vitest'
import { crdOf } from './crd.ts'
import { kinds } from './kinds.ts'
import { narrowingsOf, type Shapes } from './narrowings.ts'
import type { StructuralSchema } from './structural.ts'

const withSchema = (schema: StructuralSchema): Shapes => ({
  spec: { versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: schema } }] },
})

const withField = (field: StructuralSchema): Shapes => withSchema({ type: 'object', properties: { field } })

const string = { type: 'string' }
const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

describe('a field is narrower when', () => {
  test.each<[change: string, installed: StructuralSchema, ours: StructuralSchema, says: string]>([
    ['its type changes', string, { type: 'integer' }, 'its type would change from string to integer'],
    ['it gets a type', { 'x-kubernetes-int-or-string': true }, string, 'its type would change from any to string'],
    [
      'its format changes',
      { type: 'integer', format: 'int64' },
      { type: 'integer', format: 'int32' },
      'its format would change from int64 to int32',
    ],
    [
      'a value goes',
      { ...string, enum: ['a', 'b'] },
      { ...string, enum: ['a', 'c'] },
      'the value "b" would no longer be allowed',
    ],
    ['only certain values are allowed', string, { ...string, enum: ['a'] }, 'would be limited to certain values'],
    [
      'its minimum is raised',
      { type: 'integer', minimum: 1 },
      { type: 'integer', minimum: 2 },
      'its minimum would be raised to 2',
    ],
    ['it gets a minimum', { type: 'integer' }, { type: 'integer', minimum: 0 }, 'its minimum would be raised to 0'],
    [
      'its maximum is lowered',
      { type: 'integer', maximum: 9 },
      { type: 'integer', maximum: 8 },
      'its maximum would be lowered to 8',
    ],
    ['it gets a greatest length', string, { ...string, maxLength: 63 }, 'its maxLength would be lowered to 63'],
    [
      'its greatest length is lowered',
      { ...string, maxLength: 1024 },
      { ...string, maxLength: 253 },
      'its maxLength would be lowered to 253',
    ],
    ['it gets a least length', string, { ...string, minLength: 1 }, 'its minLength would be raised to 1'],
    ['its pattern changes', { ...string, pattern: 'a' }, { ...string, pattern: 'b' }, 'its pattern would change'],
    ['it gets a pattern', string, { ...string, pattern: 'b' }, 'its pattern would be new'],
    ['it may no longer be null', { ...string, nullable: true }, string, 'null would no longer be allowed'],
    ['it no longer takes any field', any, { type: 'object' }, 'fields that the schema does not name would go'],
    [
      'it is no map any more',
      { type: 'object', additionalProperties: string },
      { type: 'object', properties: {} },
      'it would no longer be a map',
    ],
  ])('%s', (_, installed, ours, says) => {
    expect(narrowingsOf(withField(installed), withField(ours))).toEqual([`v1.field: ${says}`])
  })
})

describe('a field is no narrower when', () => {
  test.each<[change: string, installed: StructuralSchema, ours: StructuralSchema]>([
    ['its description changes', { ...string, description: 'a' }, { ...string, description: 'b' }],
    ['a value is new', { ...string, enum: ['a'] }, { ...string, enum: ['a', 'b'] }],
    ['every value is allowed', { ...string, enum: ['a'] }, string],
    ['its bounds widen', { type: 'integer', minimum: 2, maximum: 3 }, { type: 'integer', minimum: 1, maximum: 4 }],
    ['its bounds go', { type: 'integer', minimum: 2, maximum: 3 }, { type: 'integer' }],
    ['a least length of nothing is written out', string, { ...string, minLength: 0 }],
    ['it gets a greatest length that nothing reaches', string, { ...string, maxLength: 64 }],
    ['its pattern goes', { ...string, pattern: 'a' }, string],
    ['its format goes', { ...string, format: 'date-time' }, string],
    ['it may be null', string, { ...string, nullable: true }],
    ['it has a new field', { type: 'object', properties: {} }, { type: 'object', properties: { more: string } }],
    ['it takes any field now', { type: 'object', properties: { a: string } }, any],
    [
      'it is a map of what it was',
      { type: 'object', properties: { a: string } },
      { type: 'object', additionalProperties: string },
    ],
    ['something is no longer required', { type: 'object', required: ['a'] }, { type: 'object' }],
  ])('%s', (_, installed, ours) => {
    expect(narrowingsOf(withField(installed), withField(ours))).toEqual([])
  })
})

test('a field that goes is named with its path, in lists and maps too', () => {
  const nested = (inner: StructuralSchema): Shapes =>
    withSchema({
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            list: { type: 'array', items: inner },
            map: { type: 'object', additionalProperties: inner },
          },
        },
      },
    })
  const before = nested({ type: 'object', properties: { kept: string, lost: string } })
  const after = nested({ type: 'object', properties: { kept: string } })

  expect(narrowingsOf(before, after)).toEqual([
    'v1.spec.list[].lost: the field would go',
    'v1.spec.map.*.lost: the field would go',
  ])
})

test('a field that becomes required is named', () => {
  const fields = { type: 'object', properties: { a: string, b: string } }

  expect(
    narrowingsOf(withSchema({ ...fields, required: ['a'] }), withSchema({ ...fields, required: ['a', 'b'] })),
  ).toEqual(['v1.b: would become required'])
})

describe('a version that is served', () => {
  const versions = (...served: readonly [name: string, served: boolean][]): Shapes => ({
    spec: { versions: served.map(([name, isServed]) => ({ name, served: isServed })) },
  })

  test.each<[what: string, installed: Shapes, ours: Shapes, says: readonly string[]]>([
    ['may not go', versions(['v1', true], ['v2', true]), versions(['v2', true]), ['v1: would no longer be served']],
    [
      'may not be switched off',
      versions(['v1', true]),
      versions(['v1', false], ['v2', true]),
      ['v1: would no longer be served'],
    ],
    ['may get a successor', versions(['v1', true]), versions(['v1', true], ['v2', true]), []],
    ['is all that counts', versions(['v1', false], ['v2', true]), versions(['v2', true]), []],
  ])('%s', (_, installed, ours, says) => {
    expect(narrowingsOf(installed, ours)).toEqual(says)
  })
})

test('our kinds are no narrower than themselves', () => {
  for (const kind of kinds) expect(narrowingsOf(crdOf(kind) as Shapes, crdOf(kind) as Shapes)).toEqual([])
})
