import type { KindDefinition } from './define-kind.ts'
import { ledgerClusterAgentDefinition } from './ledgerclusteragent-definition.ts'
import { ledgerServiceDefinition } from './ledgerservice-definition.ts'

/** Every kind that Holdfast defines. */
export const kinds: readonly KindDefinition[] = [ledgerClusterAgentDefinition, ledgerServiceDefinition]
