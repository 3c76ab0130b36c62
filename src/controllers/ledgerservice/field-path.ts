import { getOwn } from '../../pure/own.ts'

/** The fields of a spec by their dotted paths. Lists, and Kubernetes' own types, are not entered. */
export type FieldPath<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[]
    ? K
    : NonNullable<T[K]> extends object
      ? K | `${K}.${FieldPath<NonNullable<T[K]>>}`
      : K
}[keyof T & string]

/** What lies at a path; undefined when anything on the way is absent. */
export const valueAt = (spec: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null
          ? getOwn(value as Readonly<Record<string, unknown>>, step)
          : undefined,
      spec,
    )
