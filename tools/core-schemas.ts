/** One schema of the server's OpenAPI v3 document. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** Types of Kubernetes' own that our kinds use. */
const coreTypes = ['Condition', 'LabelSelector'] as const

const prefix = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

/** Takes the types out of the server's document: references put in place, descriptions and Go's zero defaults left out. */
export const extractCoreSchemas = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> => {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { description: _description, default: _default, allOf, $ref, ...rest } = value as Schema
    if (typeof $ref === 'string') return resolve(schemas[$ref.replace('#/components/schemas/', '')])
    const [only] = (allOf as readonly unknown[] | undefined) ?? []
    return only === undefined ? mapValues(rest, resolve) : resolve(only)
  }
  return Object.fromEntries(coreTypes.map((name) => [name, resolve(schemas[`${prefix}${name}`]) as Schema]))
}

const mapValues = (object: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
