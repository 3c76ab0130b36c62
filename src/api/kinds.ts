import type { KindDefinition } from './define-kind.ts'
import { LedgerClusterAgent } from './ledgerclusteragent.ts'

/** Every kind that Holdfast defines. */
export const kinds: readonly KindDefinition[] = [LedgerClusterAgent]
