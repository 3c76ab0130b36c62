import { keyFieldsOf, stepFinder } from './list-items.ts'
import type { FieldSet } from './object.ts'
import { getOwn } from './own.ts'

/**
 * What lies at the owned paths of a live object, as an apply would send it: applied by their owner it changes nothing.
 * Who owns no path owns nothing of it; further down, a path with none below it is owned as a whole.
 */
export const ownedPartOf = (object: object, owned: FieldSet): unknown =>
  Object.keys(owned).length === 0 ? {} : ownedBelow(object, owned)

const ownedBelow = (value: unknown, owned: FieldSet): unknown => {
  const isWhole = Object.keys(owned).length === 0
  if (isWhole || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const stepOf = stepFinder(owned)
    return value.flatMap((item: unknown) => ownedPartOfItem(item, owned, stepOf(item)))
  }
  const fields = Object.entries(value).flatMap(([field, inner]) => {
    const step = owned[`f:${field}`]
    return step === undefined ? [] : [[field, ownedBelow(inner, step)] as const]
  })
  return Object.fromEntries(fields)
}

/** Nothing when the item is not owned. The fields that it is known by are always a part of it. */
const ownedPartOfItem = (item: unknown, owned: FieldSet, step: string | undefined): readonly unknown[] => {
  if (owned[`v:${JSON.stringify(item)}`] !== undefined) return [item]
  const fields = step === undefined ? undefined : getOwn(owned, step)
  if (step === undefined || fields === undefined) return []
  return [{ ...keyFieldsOf(step), ...(ownedBelow(item, fields) as object) }]
}
