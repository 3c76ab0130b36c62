import { getOwn } from '../../pure/own.ts'

/** The paths at which two values differ, such as `spec.containers[0].image`. A side that lacks a branch differs where it begins. */
export const differingPaths = (one: unknown, other: unknown, path = ''): readonly string[] => {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, index) => differingPaths(item, other[index], `${path}[${index}]`))
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other) ? [] : [path]
  const fields = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...fields].flatMap((field) =>
    differingPaths(getOwn(one, field), getOwn(other, field), path === '' ? field : `${path}.${field}`),
  )
}

// Who needs more of them looks at the whole object anyway.
const mostListed = 20

/** Where an object differs, in lines for people. What fields are said to be for changes nothing: it is only counted. */
export const summaryOf = (paths: readonly string[]): readonly string[] => {
  const others = paths.filter((path) => !isDescription(path))
  const described = paths.length - others.length
  const more = others.length - mostListed
  return [
    ...(described === 0 ? [] : [`${described} description${described === 1 ? ' differs' : 's differ'}`]),
    ...others.slice(0, mostListed).map((path) => `differs at ${path}`),
    ...(more > 0 ? [`and at ${more} other path${more === 1 ? '' : 's'}`] : []),
  ]
}

/** A field may be called `description` itself: what is below `properties` is a field. */
const isDescription = (path: string): boolean =>
  path.includes('.openAPIV3Schema.') && path.endsWith('.description') && !path.endsWith('.properties.description')

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
