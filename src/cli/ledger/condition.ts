import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Condition } from '../../pure/conditions.ts'

export const conditionOf = ({ status }: LedgerClusterAgent, wanted: string): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === wanted)
