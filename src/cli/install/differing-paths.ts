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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
