import { isSameQuantity } from './quantity.ts'

/**
 * Whether what is found is what is wanted: nothing is missing, nothing is there besides but fields that the server fills
 * in by itself, and lists have their items in the same order. Nothing at all, an empty text, zero, no, and maps and lists
 * with nothing in them are one and the same: the server leaves out some of them, and fills in others.
 */
export const isLike = (wanted: unknown, found: unknown, filledIn: ReadonlySet<string>): boolean => {
  if (isBare(wanted) && isBare(found)) return true
  if (typeof wanted !== 'object' || wanted === null) return wanted === found
  if (typeof found !== 'object' || found === null) return false
  if (Array.isArray(wanted) || Array.isArray(found)) return isLikeList(wanted, found, filledIn)
  const [ours, theirs] = [new Map(Object.entries(wanted)), new Map(Object.entries(found))]
  const fields = new Set([...ours.keys(), ...theirs.keys()])
  return [...fields].every((field) => {
    const [one, other] = [ours.get(field) as unknown, theirs.get(field) as unknown]
    if (isZero(one) && filledIn.has(field)) return true
    return isByName(field, one) && isByName(field, other)
      ? isLikeByName(field, one, other)
      : isLike(one, other, filledIn)
  })
}

const isLikeList = (wanted: object, found: object, filledIn: ReadonlySet<string>): boolean =>
  Array.isArray(wanted) &&
  Array.isArray(found) &&
  wanted.length === found.length &&
  wanted.every((item: unknown, n) => isLike(item, found[n], filledIn))

type Values = Readonly<Record<string, string | number>>

/** Quantities, which the server spells in its own way. */
const amounts: ReadonlySet<string> = new Set(['requests', 'limits'])
const texts: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector'])

/**
 * Fields that map names of anybody's choice to values: there a name says something also without a value. A label may be
 * called as such a field is.
 */
const isByName = (field: string, value: unknown): value is Values | null | undefined =>
  (amounts.has(field) || texts.has(field)) && (value === undefined || typeof value === 'object')

const isLikeByName = (field: string, wanted: Values | null | undefined, found?: Values | null): boolean => {
  const [ours, theirs] = [new Map(Object.entries(wanted ?? {})), new Map(Object.entries(found ?? {}))]
  if (ours.size !== theirs.size) return false
  return [...ours].every(([name, value]) => {
    const other = theirs.get(name)
    return amounts.has(field) ? isSameQuantity(value, other ?? '') : value === other
  })
}

const isBare = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return isZero(value)
  if (Array.isArray(value)) return value.length === 0
  return Object.entries(value).every(([field, inner]: readonly [string, unknown]) =>
    isByName(field, inner) ? isLikeByName(field, inner) : isBare(inner),
  )
}

const isZero = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === false
