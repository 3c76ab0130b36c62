import { isDeepStrictEqual } from 'node:util'
import coreSchemas from '../../src/api/core-schemas.json' with { type: 'json' }
import type { StructuralSchema } from '../../src/api/structural.ts'

/** What a schema says of one field, as the fixtures of the former operator's kinds say it. */
export type Facts = Readonly<Record<string, unknown>>

/** How the former operator's fixtures name Kubernetes' own types. */
const packages: Readonly<Record<string, string>> = {
  Condition: 'meta/v1',
  LabelSelector: 'meta/v1',
  NetworkPolicyEgressRule: 'networking/v1',
}
const { Quantity: _, ...objectTypes } = coreSchemas

/** Bounds of texts are ours: the former operator's kinds have none. */
const withoutLengths = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (keyword, value: unknown) => (keyword === 'maxLength' ? undefined : value)))

const unboundedTypes = Object.entries(objectTypes).map(([name, type]) => [name, withoutLengths(type)] as const)

const coreNameOf = ({ description: _description, ...schema }: StructuralSchema): string | undefined => {
  const plain = withoutLengths(schema)
  const name = unboundedTypes.find(([, type]) => isDeepStrictEqual(type, plain))?.[0]
  return name && `${packages[name] ?? 'core/v1'} ${name}`
}

/** The facts of all fields by path. Kubernetes' own types are named, not entered. */
export const factsOf = (root: StructuralSchema): Readonly<Record<string, Facts>> =>
  Object.fromEntries([...entriesOf(root, '')].map(([path, facts]) => [path, withoutUndefined(facts)]))

function* entriesOf(node: StructuralSchema, path: string): Generator<[path: string, facts: Facts]> {
  for (const [name, schema] of Object.entries(node.properties ?? {})) {
    const here = path === '' ? name : `${path}.${name}`
    const required = node.required?.includes(name) === true ? true : undefined
    yield [here, { ...factsOfField(schema), required }]
    if (coreNameOf(schema) !== undefined) continue
    yield* entriesOf(schema, here)
    if (schema.items?.properties === undefined || coreNameOf(schema.items) !== undefined) continue
    yield [`${here}[]`, factsOfField(schema.items)]
    yield* entriesOf(schema.items, `${here}[]`)
  }
}

const factsOfField = (schema: StructuralSchema): Facts => {
  const { items, additionalProperties, format, pattern, minimum, maximum, enum: values, default: byDefault } = schema
  const coreName = coreNameOf(schema)
  if (coreName !== undefined) return { type: coreName }
  const coreItems = items && coreNameOf(items)
  if (coreItems !== undefined) return { type: `${coreItems}[]` }
  const either = schema['x-kubernetes-int-or-string'] === true ? 'int-or-string' : undefined
  return {
    ...{ type: schema.type ?? either, format, pattern, minimum, maximum, enum: values, default: byDefault },
    items: items?.properties === undefined ? items?.type : undefined,
    'map of': additionalProperties?.type,
    rules: (schema['x-kubernetes-validations'] as readonly { rule: string }[] | undefined)?.map(({ rule }) => rule),
  }
}

const withoutUndefined = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
