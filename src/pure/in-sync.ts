import type { Desired } from './effects.ts'
import { fingerprintOfJson } from './fingerprint.ts'
import { ownedFieldsOf } from './managed-fields.ts'
import type { FieldSet, KubeObject } from './object.ts'

const appliedAnnotation = 'holdfast.dev/applied'

/**
 * The object with a mark of what we want it to be. Secret values enter the hash by fingerprint, so that the mark tells
 * nothing and does not change when the same value is read from another version of its source.
 */
export const withAppliedMark = (desired: Desired): Desired => {
  const data = desired.data && Object.entries(desired.data).map(([field, ref]) => [field, ref.fingerprint] as const)
  const applied = fingerprintOfJson({ ...desired, data: data && Object.fromEntries(data) })
  const annotations = { ...desired.metadata.annotations, [appliedAnnotation]: applied }
  return { ...desired, metadata: { ...desired.metadata, annotations } }
}

/**
 * Whether the live object is what we last wanted it to be and nobody has touched a path of ours since. Values are not
 * compared: who changes a field takes its path out of our entry, and defaulting never does.
 */
export const isInSync = (live: KubeObject, marked: Desired, manager: string): boolean =>
  live.metadata.annotations?.[appliedAnnotation] === marked.metadata.annotations?.[appliedAnnotation] &&
  coversEveryPath(ownedFieldsOf(live.metadata.managedFields, manager), marked)

/**
 * Whether the owned paths include every path of the desired object.
 * @internal
 */
export const coversEveryPath = (owned: FieldSet, { metadata, data, ...rest }: Desired): boolean =>
  coversKeys(owned['f:metadata']?.['f:labels'], metadata.labels) &&
  coversKeys(owned['f:metadata']?.['f:annotations'], metadata.annotations) &&
  coversKeys(owned['f:data'], data) &&
  coversMap(owned, rest)

/** Maps whose keys are owned one by one: when all of ours are taken, what is left looks like an atomic field. */
const coversKeys = (owned: FieldSet | undefined, desired: object | undefined): boolean =>
  Object.keys(desired ?? {}).every((key) => owned?.[`f:${key}`] !== undefined)

const coversMap = (owned: FieldSet, desired: object): boolean =>
  Object.entries(desired).every(([field, value]) => {
    const below = owned[`f:${field}`]
    return value === undefined || (below !== undefined && coversValue(below, value))
  })

const coversValue = (owned: FieldSet, desired: unknown): boolean => {
  const isLeaf = Object.keys(owned).length === 0
  if (isLeaf || typeof desired !== 'object' || desired === null) return true
  if (Array.isArray(desired)) return desired.every((item: unknown) => coversItem(owned, item))
  return coversMap(owned, desired)
}

/** A list item is owned by its value (`v:`, a set) or by its key fields (`k:`, a list that is a map). */
const coversItem = (owned: FieldSet, item: unknown): boolean => {
  if (owned[`v:${JSON.stringify(item)}`] !== undefined) return true
  if (typeof item !== 'object' || item === null) return false
  const below = Object.entries(owned).find(([step]) => step.startsWith('k:') && hasKeys(item, step.slice(2)))?.[1]
  return below !== undefined && coversMap(below, item)
}

const hasKeys = (item: object, keys: string): boolean => {
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(item))
  return Object.entries(JSON.parse(keys) as object).every(([field, value]) => fields.get(field) === value)
}
