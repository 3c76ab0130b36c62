import { keyFieldsOf, stepFinder } from './list-items.ts'
import type { FieldSet } from './object.ts'
import { getOwn } from './own.ts'

/** What lies at the owned paths of a live value, as an apply would send it: applied by their owner it changes nothing. */
export const ownedPartOf = (value: unknown, owned: FieldSet): unknown => {
  const isWhole = Object.keys(owned).length === 0
  if (isWhole || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const stepOf = stepFinder(owned)
    return value.flatMap((item: unknown) => ownedPartOfItem(item, owned, stepOf(item)))
  }
  const fields = Object.entries(value).flatMap(([field, inner]) => {
    const step = owned[`f:${field}`]
    return step === undefined ? [] : [[field, ownedPartOf(inner, step)] as const]
  })
  return Object.fromEntries(fields)
}

/** Nothing when the item is not owned. The fields that it is known by are always a part of it. */
const ownedPartOfItem = (item: unknown, owned: FieldSet, step: string | undefined): readonly unknown[] => {
  if (owned[`v:${JSON.stringify(item)}`] !== undefined) return [item]
  const fields = step === undefined ? undefined : getOwn(owned, step)
  if (step === undefined || fields === undefined) return []
  return [{ ...keyFieldsOf(step), ...(ownedPartOf(item, fields) as object) }]
}
