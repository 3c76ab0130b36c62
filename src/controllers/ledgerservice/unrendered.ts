import type { ServiceSpec } from '../../api/ledgerservice-schema.ts'
import { type FieldPath, valueAt } from './field-path.ts'

/**
 * The fields that change nothing in what we make of a service; with all that lies below them.
 * @internal
 */
export const unrendered = [
  'restore',
  'ingress',
  'ingressGrpc',
  'networkPolicy',
  'dnsEndpoint',
  'persistence.wal.hostPath',
  'persistence.data.hostPath',
  'persistence.coldCache.hostPath',
  // The ledger has no such settings for its index; the former operator let them pass without a word.
  'readIndex.pebble.walBytesPerSync',
  'readIndex.pebble.walMinSyncInterval',
  'readIndex.pebble.disableWAL',
  'readIndex.pebble.incrementalCompactThreshold',
  'readIndex.pebble.maxCheckpoints',
  'readIndex.pebble.valueSeparation',
] as const satisfies readonly FieldPath<ServiceSpec>[]

/** The fields that somebody has set and that have no effect. What is switched off is not asked for. */
export const unsupportedFieldsOf = (spec: ServiceSpec): readonly string[] =>
  unrendered.filter((path) => isAskedFor(valueAt(spec, path)))

const isAskedFor = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return value !== undefined && value !== '' && value !== false
  const { enabled, ...rest } = value as { readonly enabled?: unknown }
  return enabled !== undefined ? enabled === true : Object.keys(rest).length > 0
}
