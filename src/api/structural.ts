import { z } from 'zod'
import coreSchemas from './core-schemas.json' with { type: 'json' }

/** A schema in the dialect of CRDs: structural OpenAPI v3. */
export interface StructuralSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly items?: StructuralSchema
  readonly additionalProperties?: StructuralSchema
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** The zod schema as the API server takes it. Throws on what no structural schema can say. */
export const structuralSchemaOf = (schema: z.ZodObject): StructuralSchema => {
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' })
  return structural(json as StructuralSchema, '')
}

const refused = ['oneOf', 'anyOf', 'allOf', 'not', '$ref'] as const
// RE2, which the API server uses, has neither look-around nor back-references.
const beyondRe2 = /\(\?[=!<]|\\[1-9]/

const structural = (node: StructuralSchema, path: string): StructuralSchema => {
  const { 'x-core-type': coreType, description, ...plain } = node
  const core = typeof coreType === 'string' ? coreSchemas[coreType as keyof typeof coreSchemas] : undefined
  const {
    $schema: _,
    additionalProperties,
    properties,
    items,
    minimum,
    maximum,
    ...rest
  } = { ...plain, ...core } as StructuralSchema
  for (const keyword of refused)
    if (keyword in rest) throw new Error(`${path || 'the schema'}: ${keyword} is not structural`)
  if (typeof rest['pattern'] === 'string' && beyondRe2.test(rest['pattern']))
    throw new Error(`${path}: its pattern is beyond RE2`)
  const below = (name: string, child: StructuralSchema) => structural(child, path === '' ? name : `${path}.${name}`)
  return {
    ...(description === undefined ? {} : { description }),
    ...rest,
    ...(rest.type === 'integer' && rest.format === undefined ? { format: 'int64' } : {}),
    ...boundsOf(minimum, maximum),
    ...(properties && { properties: mapEntries(properties, below) }),
    ...(items && { items: below('[]', items) }),
    // A closed object says so by listing its properties; only maps keep this keyword.
    ...(typeof additionalProperties === 'object' && { additionalProperties: below('*', additionalProperties) }),
  }
}

/** zod gives every integer the bounds of a JavaScript number: these are no wish of ours. */
const boundsOf = (minimum: unknown, maximum: unknown) => ({
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
})

const mapEntries = <T, R>(
  record: Readonly<Record<string, T>>,
  change: (name: string, value: T) => R,
): Record<string, R> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]))
