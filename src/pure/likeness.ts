import { isSameQuantity } from './quantity.ts'

/**
 * Whether what is found is what is wanted: nothing is missing, nothing is there besides but fields that the server fills
 * in by itself, and lists have their items in the same order. Nothing at all, and maps and lists with nothing in them, are
 * one and the same.
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
    if (one === undefined && filledIn.has(field)) return true
    return isAmounts(field, one) && isAmounts(field, other) ? isLikeAmounts(one, other) : isLike(one, other, filledIn)
  })
}

const isLikeList = (wanted: object, found: object, filledIn: ReadonlySet<string>): boolean =>
  Array.isArray(wanted) &&
  Array.isArray(found) &&
  wanted.length === found.length &&
  wanted.every((item: unknown, n) => isLike(item, found[n], filledIn))

type Amounts = Readonly<Record<string, string | number>>

/** Fields that map names to quantities, which the server spells in its own way. A label may be called so too. */
const isAmounts = (field: string, value: unknown): value is Amounts =>
  (field === 'requests' || field === 'limits') && typeof value === 'object' && value !== null

const isLikeAmounts = (wanted: Amounts, found: Amounts): boolean => {
  const [ours, theirs] = [new Map(Object.entries(wanted)), new Map(Object.entries(found))]
  return (
    ours.size === theirs.size && [...ours].every(([name, amount]) => isSameQuantity(amount, theirs.get(name) ?? ''))
  )
}

const isBare = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.values(value).every(isBare))
