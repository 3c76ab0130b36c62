import { stringify } from 'yaml'
import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { KubeObject } from '../../pure/object.ts'

/** A value as JSON or YAML, and nothing else on stdout beside it. */
export const printValue = (value: unknown, format: 'json' | 'yaml'): string =>
  format === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : stringify(value, { lineWidth: 0 })

/** As kubectl names an object of a kind. */
export const printName = (name: string): string =>
  `${LedgerClusterAgent.kind.toLowerCase()}.${LedgerClusterAgent.group}/${name}`

/** The object without what only the API server's bookkeeping needs. */
export const withoutNoise = <T extends KubeObject>(object: T): T => {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
