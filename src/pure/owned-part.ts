import { hasKeys, keyFieldsOf } from './in-sync.ts'
import type { FieldSet } from './object.ts'

/** What lies at the owned paths of a live value, as an apply would send it: applied by their owner it changes nothing. */
export const ownedPartOf = (value: unknown, owned: FieldSet): unknown => {
  const isWhole = Object.keys(owned).length === 0
  if (isWhole || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.flatMap((item: unknown) => ownedPartOfItem(item, owned))
  const fields = Object.entries(value).flatMap(([field, inner]) => {
    const step = owned[`f:${field}`]
    return step === undefined ? [] : [[field, ownedPartOf(inner, step)] as const]
  })
  return Object.fromEntries(fields)
}

/** Nothing when the item is not owned. The fields that it is known by are always a part of it. */
const ownedPartOfItem = (item: unknown, owned: FieldSet): readonly unknown[] => {
  if (owned[`v:${JSON.stringify(item)}`] !== undefined) return [item]
  const known = Object.entries(owned).find(([step]) => step.startsWith('k:') && hasKeys(item, step.slice(2)))
  if (known === undefined) return []
  const [step, fields] = known
  return [{ ...keyFieldsOf(step.slice(2)), ...(ownedPartOf(item, fields) as object) }]
}
