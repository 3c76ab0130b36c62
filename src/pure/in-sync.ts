import type { Desired, SecretValueRef } from './effects.ts'
import { fingerprintOfJson } from './fingerprint.ts'
import { itemFinder, stepFinder } from './list-items.ts'
import { allFieldsOf, ownedFieldsOf } from './managed-fields.ts'
import type { FieldSet, KubeObject } from './object.ts'
import { getOwn } from './own.ts'

const appliedAnnotation = 'holdfast.dev/applied'

/**
 * The object with a mark of what we want it to be. Secret values enter the hash by fingerprint, so that the mark tells
 * nothing and does not change when the same value is read from another version of its source.
 */
export const withAppliedMark = (desired: Desired): Desired => {
  const data = Object.entries<SecretValueRef | string>(desired.data ?? {}).map(
    ([field, value]) => [field, typeof value === 'string' ? value : value.fingerprint] as const,
  )
  const applied = fingerprintOfJson({ ...desired, data: desired.data && Object.fromEntries(data) })
  const annotations = { ...desired.metadata.annotations, [appliedAnnotation]: applied }
  return { ...desired, metadata: { ...desired.metadata, annotations } }
}

/** Takes the mark off: until the next apply, the object is not what we want, whatever we own of it. */
export const withoutAppliedMark = { [appliedAnnotation]: null } as const

/**
 * Whether the live object is what we last wanted it to be and nobody has touched a path of ours since. Values are not
 * compared: who changes a field takes its path out of our entry, and defaulting never does.
 */
export const isInSync = (live: KubeObject, marked: Desired, manager: string): boolean =>
  live.metadata.annotations?.[appliedAnnotation] === marked.metadata.annotations?.[appliedAnnotation] &&
  coversEveryPath(placeOf(live, manager), marked)

/** The paths of the desired object that others have taken from us, or that we never had. */
export const pathsToRegain = (live: KubeObject, desired: Desired, manager: string): readonly Path[] =>
  uncoveredPaths(placeOf(live, manager), desired)

/** Fields, and the places of items in lists, from the outside in. */
export type Path = readonly (string | number)[]

const placeOf = (live: KubeObject, manager: string): Place => ({
  ours: ownedFieldsOf(live.metadata.managedFields, manager),
  anyones: allFieldsOf(live.metadata.managedFields),
  live,
})

/** One place in a live object. */
export interface Place {
  /** What we own from here on; undefined when that is nothing. */
  readonly ours: FieldSet | undefined
  /** The same of everybody, us included. */
  readonly anyones: FieldSet | undefined
  /** What is there, where more than metadata was read. */
  readonly live: unknown
}

/**
 * Whether the owned paths include every path of the desired object.
 * @internal
 */
export const coversEveryPath = (place: Place, desired: Desired): boolean => uncoveredPaths(place, desired).length === 0

const uncoveredPaths = (place: Place, { metadata, data, ...rest }: Desired): readonly Path[] => [
  ...under('metadata', [
    ...under('labels', uncoveredKeys(place.ours?.['f:metadata']?.['f:labels'], metadata.labels)),
    ...under('annotations', uncoveredKeys(place.ours?.['f:metadata']?.['f:annotations'], metadata.annotations)),
    ...uncoveredInMap(below(place, 'f:metadata', fieldOf(place.live, 'metadata')), {
      ownerReferences: metadata.ownerReferences,
    }),
  ]),
  ...under('data', uncoveredKeys(place.ours?.['f:data'], data)),
  ...uncoveredInMap(place, rest),
]

const under = (step: string | number, paths: readonly Path[]): readonly Path[] =>
  paths.length === 0 ? none : paths.map((path) => [step, ...path])

const none: readonly Path[] = []
const here: readonly Path[] = [[]]

/** Maps that every object may have: their keys are owned one by one, whatever anybody else owns. */
const uncoveredKeys = (owned: FieldSet | undefined, desired: object | undefined): readonly Path[] =>
  Object.keys(desired ?? {}).flatMap((key) => (owned?.[`f:${key}`] === undefined ? [[key]] : none))

const uncoveredInMap = (place: Place, desired: object): readonly Path[] =>
  Object.entries(desired).flatMap(([field, value]) =>
    value === undefined
      ? none
      : under(field, uncoveredInValue(below(place, `f:${field}`, fieldOf(place.live, field)), value)),
  )

const uncoveredInValue = (place: Place, desired: unknown): readonly Path[] => {
  const { ours, anyones } = place
  // Neither a POST nor an apply owns an empty list that is a map: only who wrote the list as a whole is in our way.
  if (Array.isArray(desired) && desired.length === 0)
    return ours !== undefined || anyones === undefined || !isLeaf(anyones) ? none : here
  if (ours === undefined) return here
  if (typeof desired !== 'object' || desired === null || Object.keys(desired).length === 0) return none
  if (isLeaf(ours)) return isEmptied(place, desired) ? here : none
  if (!Array.isArray(desired)) return uncoveredInMap(place, desired)
  const [stepOf, itemAt] = [stepFinder(ours), itemFinder(Array.isArray(place.live) ? place.live : [])]
  return desired.flatMap((item: unknown, index) => {
    const step = stepOf(item)
    const found = step === undefined ? undefined : below(place, step, itemAt(step))
    return under(index, uncoveredInItem(place, found, item))
  })
}

const isLeaf = (set: FieldSet): boolean => Object.keys(set).every((step) => step === '.')

/**
 * A leaf is a map or list that is owned as a whole, or one that we posted and of which nothing else is ours any more.
 * In the second case others own what is in it, or nothing is.
 */
const isEmptied = ({ anyones, live }: Place, desired: object): boolean =>
  (anyones !== undefined && !isLeaf(anyones)) || (live !== undefined && isBare(live) && !isBare(desired))

/** Maps and lists all the way down: the server may drop any of them. */
const isBare = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.values(value).every(isBare))

/** A list item is owned by its value (`v:`, a set) or by its key fields (`k:`, a list that is a map). */
const uncoveredInItem = ({ ours }: Place, found: Place | undefined, item: unknown): readonly Path[] => {
  if (ours?.[`v:${JSON.stringify(item)}`] !== undefined) return none
  return found === undefined ? here : uncoveredInValue(found, item)
}

const below = ({ ours, anyones }: Place, step: string, live: unknown): Place => ({
  ours: getOwn(ours, step),
  anyones: getOwn(anyones, step),
  live,
})

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' ? getOwn(value as Readonly<Record<string, unknown>> | null, field) : undefined
