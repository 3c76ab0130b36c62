import { expect, test } from 'vitest'
import { z } from 'zod'
import coreSchemas from './core-schemas.json' with { type: 'json' }
import { coreType, int32, quantity, ruled } from './define-kind.ts'
import { structuralSchemaOf } from './structural.ts'

const schemaOf = (field: z.ZodType) => structuralSchemaOf(z.object({ field })).properties?.['field']

test.for([
  { name: 'a union', field: z.union([z.string(), z.int()]), message: 'field: anyOf is not structural' },
  {
    name: 'a choice by one field',
    field: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    message: 'is not structural',
  },
  {
    name: 'a pattern that looks ahead',
    field: z.string().regex(/^(?!kube-)/),
    message: 'field: its pattern is beyond RE2',
  },
  {
    name: 'a pattern that looks behind',
    field: z.string().regex(/(?<=a)b/),
    message: 'field: its pattern is beyond RE2',
  },
  { name: 'a pattern that refers back', field: z.string().regex(/(a)\1/), message: 'field: its pattern is beyond RE2' },
  {
    name: 'a union deep inside',
    field: z.array(z.object({ deep: z.record(z.string(), z.union([z.string(), z.boolean()])) })),
    message: 'field.[].deep.*: anyOf is not structural',
  },
])('$name is refused, and the error says where', ({ field, message }) => {
  expect(() => schemaOf(field)).toThrow(message)
})

test.for([
  {
    name: 'an integer has no bounds that nobody asked for',
    field: z.int(),
    schema: { type: 'integer', format: 'int64' },
  },
  {
    name: 'an integer keeps the bounds that were asked for',
    field: z.int().min(1).max(65_535),
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: 65_535 },
  },
  {
    name: 'an integer may have one bound',
    field: z.int().min(0),
    schema: { type: 'integer', format: 'int64', minimum: 0 },
  },
  {
    name: 'a small integer says so by its format alone',
    field: int32(),
    schema: { type: 'integer', format: 'int32' },
  },
  {
    name: 'a small integer keeps the bounds that were asked for, and its default',
    field: int32().min(1).max(100).default(7),
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 7 },
  },
  {
    name: 'an amount is a number or a string',
    field: quantity(),
    schema: coreSchemas.Quantity,
  },
  {
    name: 'a field may have rules of its own, and be optional',
    field: ruled(z.object({ a: z.string() }), { rule: "self.a != ''", message: 'say a' }).optional(),
    schema: {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      'x-kubernetes-validations': [{ rule: "self.a != ''", message: 'say a' }],
    },
  },
  {
    name: 'a plain pattern is kept',
    field: z.string().regex(/^[a-z]+$/),
    schema: { type: 'string', pattern: '^[a-z]+$' },
  },
  {
    name: 'a map keeps what its values are',
    field: z.record(z.string(), z.string()),
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  {
    name: 'a list keeps what its items are',
    field: z.array(z.boolean()),
    schema: { type: 'array', items: { type: 'boolean' } },
  },
  {
    name: 'a description is kept',
    field: z.string().describe('Why.'),
    schema: { type: 'string', description: 'Why.' },
  },
])('$name', ({ field, schema }) => {
  expect(schemaOf(field)).toEqual(schema)
})

test('a closed object says so by its properties alone', () => {
  const schema = structuralSchemaOf(z.strictObject({ a: z.string(), b: z.string().optional() }))
  expect(schema).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a'],
  })
})

test('a type of Kubernetes’ own comes from the server, with our description', () => {
  const field = coreType('LabelSelector').describe('Which ones.')
  expect(schemaOf(field)).toEqual({ ...coreSchemas.LabelSelector, description: 'Which ones.' })
})

test('a type of Kubernetes’ own that nobody has read from the server is refused', () => {
  expect(() => schemaOf(coreType('Nonesuch'))).toThrow('core-schemas.json has no Nonesuch')
})
