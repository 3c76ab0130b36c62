import type { Known } from './known.ts'

/** How large and how deep a value may be that anybody may have written. */
export interface Limits {
  /** Characters of all keys and strings, and some for each value: about what it takes in memory. */
  readonly size: number
  readonly depth: number
}

const sizePerValue = 8

/**
 * Why a JSON value exceeds the limits; undefined when it does not. It walks without recursion and stops at the limit, so
 * that neither depth nor size of the value can stop or slow the program. Code behind it may recurse.
 */
export const excessOf = (value: unknown, { size, depth }: Limits): string | undefined => {
  const pending: { readonly value: unknown; readonly level: number }[] = [{ value, level: 0 }]
  let measured = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: inner, level } = next
    measured += sizePerValue + (typeof inner === 'string' ? inner.length : 0)
    if (measured > size) return tooLarge(size)
    if (typeof inner !== 'object' || inner === null) continue
    if (level === depth) return `it is nested deeper than ${depth} levels`
    if (!Array.isArray(inner)) for (const key of Object.keys(inner)) measured += key.length
    const below: readonly unknown[] = Array.isArray(inner) ? inner : Object.values(inner)
    // Before they are all put down: there may be a million.
    if (measured + below.length * sizePerValue > size) return tooLarge(size)
    for (const one of below) pending.push({ value: one, level: level + 1 })
  }
  return undefined
}

const tooLarge = (size: number): string => `it is larger than ${Math.round(size / 1024)} KiB`

/**
 * The value of a JSON text that anybody may have written, or why it is not taken. A text that names a key twice is not
 * taken: readers do not agree on which of the two counts.
 */
export const parseLimited = (text: string, limits: Limits): Known<unknown> => {
  if (text.length > limits.size) return { unknown: tooLarge(limits.size) }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Without the parser's error: it quotes what it read.
    return { unknown: 'it is not JSON' }
  }
  const excess = excessOf(value, limits)
  if (excess !== undefined) return { unknown: excess }
  return keysIn(value) === keysNamedIn(text) ? { known: value } : { unknown: 'it names a key twice' }
}

const keysIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const below = Object.values(value).reduce((sum: number, inner: unknown) => sum + keysIn(inner), 0)
  return Array.isArray(value) ? below : below + Object.keys(value).length
}

/** Outside of strings, a colon follows each key and nothing else. */
const keysNamedIn = (json: string): number => {
  let keys = 0
  let isInString = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '"') isInString = !isInString
    else if (sign === '\\') at += 1
    else if (sign === ':' && !isInString) keys += 1
  }
  return keys
}
