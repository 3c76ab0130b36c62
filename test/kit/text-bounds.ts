import type { StructuralSchema } from '../../src/api/structural.ts'

/** The greatest length of every text of a schema, by path; undefined where there is none. */
export const textBoundsOf = (
  schema: StructuralSchema,
  path: string,
): readonly (readonly [path: string, bound: unknown])[] => {
  const { type, format, enum: values, maxLength, properties = {}, items, additionalProperties, pattern } = schema
  const isAmount = schema['x-kubernetes-int-or-string'] === true && pattern !== undefined
  const isText = isAmount || (type === 'string' && format === undefined && values === undefined)
  return [
    ...(isText ? [[path, maxLength] as const] : []),
    ...Object.entries(properties).flatMap(([name, field]) => textBoundsOf(field, `${path}.${name}`)),
    ...(items === undefined ? [] : textBoundsOf(items, `${path}[]`)),
    ...(additionalProperties === undefined ? [] : textBoundsOf(additionalProperties, `${path}.*`)),
  ]
}
