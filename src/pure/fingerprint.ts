import { createHash } from 'node:crypto'

/** SHA-256 in hex: stands for a value wherever the value itself must not be. */
export const fingerprint = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex')

/** The fingerprint of a JSON value, whatever the order of its keys. */
export const fingerprintOfJson = (value: unknown): string => fingerprint(JSON.stringify(sorted(value)))

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]))
}
