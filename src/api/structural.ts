import { z } from 'zod'
import coreSchemas from './core-schemas.json' with { type: 'json' }
import { getOwn } from '../pure/own.ts'

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

/** What stands for a type of Kubernetes' own. */
type CoreTypes = (name: string) => StructuralSchema

const writtenOut: CoreTypes = (name) => {
  const schema = getOwn<StructuralSchema>(coreSchemas, name)
  if (schema === undefined) throw new Error(`core-schemas.json has no ${name}`)
  return schema
}

/** The zod schema as the API server takes it. Throws on what no structural schema can say. */
export const structuralSchemaOf = (schema: z.ZodObject, coreTypes: CoreTypes = writtenOut): StructuralSchema => {
  const json = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' })
  return structural(json as StructuralSchema, { path: '', longest: undefined, coreTypes })
}

const refused = ['oneOf', 'anyOf', 'allOf', 'not', '$ref'] as const
// RE2, which the API server uses, has neither look-around nor back-references.
const beyondRe2 = /\(\?[=!<]|\\[1-9]/

interface Place {
  readonly path: string
  /** How many characters a text may have here that has no bound of its own. */
  readonly longest: number | undefined
  readonly coreTypes: CoreTypes
}

const structural = (node: StructuralSchema, { path, longest: around, coreTypes }: Place): StructuralSchema => {
  const { 'x-core-type': coreType, 'x-longest': own, description, ...plain } = node
  const longest = typeof own === 'number' ? own : around
  const core = typeof coreType === 'string' ? coreTypes(coreType) : undefined
  const {
    $schema: _,
    additionalProperties,
    properties,
    items,
    minimum,
    maximum,
    ...rest
  }: StructuralSchema = { ...plain, ...core }
  for (const keyword of refused)
    if (keyword in rest) throw new Error(`${path || 'the schema'}: ${keyword} is not structural`)
  if (typeof rest['pattern'] === 'string' && beyondRe2.test(rest['pattern']))
    throw new Error(`${path}: its pattern is beyond RE2`)
  const below = (name: string, child: StructuralSchema) =>
    structural(child, { path: path === '' ? name : `${path}.${name}`, longest, coreTypes })
  return {
    ...(description === undefined ? {} : { description }),
    ...rest,
    ...(rest.type === 'integer' && rest.format === undefined ? { format: 'int64' } : {}),
    ...boundsOf(minimum, maximum),
    ...(isOpenText(rest) && longest !== undefined && { maxLength: longest }),
    ...(properties && { properties: mapEntries(properties, below) }),
    ...(items && { items: below('[]', items) }),
    // A closed object says so by listing its properties; only maps keep this keyword.
    ...(typeof additionalProperties === 'object' && { additionalProperties: below('*', additionalProperties) }),
  }
}

const isOpenText = ({ type, format, enum: values, maxLength }: StructuralSchema): boolean =>
  type === 'string' && format === undefined && values === undefined && maxLength === undefined

// zod gives every integer the bounds of a JavaScript number or of its format: these are no wish of ours.
const unasked = new Set<unknown>([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, -(2 ** 31), 2 ** 31 - 1, undefined])

const boundsOf = (minimum: unknown, maximum: unknown) => ({
  ...(unasked.has(minimum) ? {} : { minimum }),
  ...(unasked.has(maximum) ? {} : { maximum }),
})

const mapEntries = <T, R>(
  record: Readonly<Record<string, T>>,
  change: (name: string, value: T) => R,
): Record<string, R> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]))
