import type { FieldSet } from './object.ts'
import { getOwn } from './own.ts'

/** Items that are known by the same fields, by the values of those. */
interface Group<T> {
  readonly fields: readonly string[]
  readonly byValues: Map<string, T>
}

/** The key fields that a `k:` step names; none when it is not such a step: anybody may have written it. */
export const keyFieldsOf = (step: string): object => Object.fromEntries(keysIn(step))

const longestStep = 4096

const keysIn = (step: string): readonly (readonly [field: string, value: unknown])[] => {
  if (step.length > longestStep) return []
  try {
    const fields: unknown = JSON.parse(step.slice(2))
    const keys = typeof fields === 'object' && fields !== null ? Object.entries(fields) : []
    return keys.some(([, value]) => typeof value === 'object') ? [] : keys
  } catch {
    return []
  }
}

/** Undefined when the item lacks one of the fields. */
const valuesOf = (item: unknown, fields: readonly string[]): string | undefined => {
  if (typeof item !== 'object' || item === null) return undefined
  const values = fields.map((field) => getOwn(item as Readonly<Record<string, unknown>>, field))
  return values.includes(undefined) ? undefined : JSON.stringify(values)
}

const idOf = (values: readonly unknown[]): string => JSON.stringify(values)

/**
 * Finds the `k:` step of a list item. All steps are read once: a list may have thousands of items, and whoever reads the
 * steps again for each of them keeps everybody waiting.
 */
export const stepFinder = (owned: FieldSet): ((item: unknown) => string | undefined) => {
  const groups = new Map<string, Group<string>>()
  for (const step of Object.keys(owned).filter((one) => one.startsWith('k:'))) {
    const keys = keysIn(step)
    if (keys.length === 0) continue
    const fields = keys.map(([field]) => field)
    const group = groups.get(idOf(fields)) ?? { fields, byValues: new Map<string, string>() }
    groups.set(idOf(fields), group)
    group.byValues.set(idOf(keys.map(([, value]) => value)), step)
  }
  return (item) => {
    for (const { fields, byValues } of groups.values()) {
      const step = byValues.get(valuesOf(item, fields) ?? '')
      if (step !== undefined) return step
    }
    return undefined
  }
}

/** Finds the list item that a `k:` step names. */
export const itemFinder = (items: readonly unknown[]): ((step: string) => unknown) => {
  const groups = new Map<string, Group<unknown>>()
  const groupOf = (fields: readonly string[]): Group<unknown> => {
    const known = groups.get(idOf(fields))
    if (known !== undefined) return known
    const byValues = new Map(items.toReversed().map((item) => [valuesOf(item, fields) ?? '', item]))
    byValues.delete('')
    const group = { fields, byValues }
    groups.set(idOf(fields), group)
    return group
  }
  return (step) => {
    const keys = keysIn(step)
    if (keys.length === 0) return undefined
    return groupOf(keys.map(([field]) => field)).byValues.get(idOf(keys.map(([, value]) => value)))
  }
}
