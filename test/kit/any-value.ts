import fc from 'fast-check'
import type { StructuralSchema } from '../../src/api/structural.ts'

// Texts that mean something somewhere, besides any others.
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', 'AUTH_ENABLED', 'POD_NAME', 'CLUSTER_ID', 'true', 'Delete', '0.0.0.0:1', 'memory'),
)
const quantity = fc.oneof(
  fc.integer(),
  fc.constantFrom('1Gi', '500m', '.5', '1e3', '12E', '1e1.5', '-1Ki', '+7.', '1e999999999'),
)

/** Any value that the API server would take for a schema; what it fills in may be missing. */
export const anyValue = (schema: StructuralSchema): fc.Arbitrary<unknown> => {
  const { type, properties, items, additionalProperties, enum: values, required = [], minimum, maximum } = schema
  if (Array.isArray(values)) return fc.constantFrom(...(values as readonly unknown[]))
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => [name, anyValue(field)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
  }
  if (additionalProperties !== undefined) return fc.dictionary(text, anyValue(additionalProperties), { maxKeys: 3 })
  if (items !== undefined) return fc.array(anyValue(items), { maxLength: 3 })
  if (schema['x-kubernetes-int-or-string'] === true) return quantity
  if (type === 'boolean') return fc.boolean()
  if (type !== 'integer') return text
  return fc.integer({
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
  })
}
