import type { StructuralSchema } from '../../src/api/structural.ts'

/** A value that has every field of a schema, each with something else than its default. */
export const everyField = (schema: StructuralSchema): unknown => {
  const { type, properties, items, additionalProperties, enum: values } = schema
  if (Array.isArray(values)) return values.find((value) => value !== schema['default'])
  if (properties !== undefined) return mapValues(properties, everyField)
  if (additionalProperties !== undefined) return { 'example.dev/key': everyField(additionalProperties) }
  if (items !== undefined) return [everyField(items)]
  if (schema['x-kubernetes-int-or-string'] === true) return schema['pattern'] === undefined ? 'http' : '64Mi'
  return scalarOf(schema, type)
}

const scalarOf = ({ format, minimum, default: byDefault }: StructuralSchema, type: string | undefined): unknown => {
  if (type === 'boolean') return byDefault !== true
  if (type === 'integer') return (typeof minimum === 'number' ? minimum : 0) + 1
  if (type === 'string') return format === 'date-time' ? '2026-01-02T03:04:05Z' : 'some-text'
  throw new Error(`no value for ${type ?? 'a field without a type'}`)
}

const mapValues = (fields: Readonly<Record<string, StructuralSchema>>, value: (field: StructuralSchema) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(field)]))
