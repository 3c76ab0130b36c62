import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { printAge } from '../../pure/age.ts'
import { milliseconds } from '../../pure/duration.ts'
import { conditionOf } from './condition.ts'
import type { Cell, Row } from './table.ts'

export const agentHeader: Row = ['NAME', 'KEY ID', 'KEY AGE', 'SCOPES', 'MATCHED SERVICES', 'PHASE', 'AGE', 'REASON']

/** One agent in a table of agents; the reason stands there only when it is not ready. */
export const agentRow = (agent: LedgerClusterAgent, now: number): Row => {
  const { metadata, status } = agent
  const ready = conditionOf(agent, 'Ready')
  return [
    metadata.name,
    status?.keyID ?? '-',
    ageOf(status?.keyMade, now),
    printScopes(agent),
    String(status?.matchedServiceCount ?? (status?.matchedServices ?? []).length),
    phaseOf(agent),
    ageOf(metadata.creationTimestamp, now),
    ready === undefined || ready.status === 'True' ? '' : ready.reason,
  ]
}

export const printScopes = ({ spec }: LedgerClusterAgent): string => {
  const scopes = spec?.scopes ?? []
  return scopes.length === 0 ? '-' : scopes.join(',')
}

const phaseStyles = { Ready: 'green', Pending: 'yellow', Error: 'red' } as const

export const phaseOf = ({ status }: LedgerClusterAgent): Cell => {
  const phase = status?.phase
  if (phase === 'Ready' || phase === 'Pending' || phase === 'Error') return { text: phase, style: phaseStyles[phase] }
  return phase ?? '-'
}

export const ageOf = (since: string | undefined, now: number): string =>
  since === undefined ? '-' : printAge(milliseconds(now - Date.parse(since)))
