import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { claimAnnotation } from '../../pure/names.ts'
import { ageOf, phaseOf, printScopes } from './agent-row.ts'
import { paint } from '../paint.ts'
import { keysOf } from './keys.ts'
import { printTable, type Row } from './table.ts'

/** Everything about an agent that people ask for. */
export const describeAgent = (agent: LedgerClusterAgent, now: number): string => {
  const { matchedServices = [], distributedSecretRefs = [], conditions = [], ...counts } = agent.status ?? {}
  const refs = (list: readonly Ref[]): readonly Row[] => list.map(({ namespace, name }) => [namespace, name])
  return [
    section('Overview', overviewOf(agent, now)),
    section(
      'Keys',
      withHeader(
        ['GENERATION', 'KEY ID', 'STATE', 'SINCE', 'RETIRES AT'],
        withRest(keyRows(agent, now), counts.generationCount),
      ),
    ),
    section(
      'Matched Services',
      withHeader(['NAMESPACE', 'NAME'], withRest(refs(matchedServices), counts.matchedServiceCount)),
    ),
    section(
      'Secrets',
      withHeader(['NAMESPACE', 'NAME'], withRest(refs(distributedSecretRefs), counts.distributedSecretCount)),
    ),
    section(
      'Conditions',
      withHeader(
        ['TYPE', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'],
        conditions.map(({ type, status, reason, lastTransitionTime, message }) => [
          type,
          status,
          reason,
          ageOf(lastTransitionTime, now),
          message,
        ]),
      ),
    ),
  ].join('\n')
}

const keyRows = (agent: LedgerClusterAgent, now: number): readonly Row[] =>
  keysOf(agent).map(({ generation, keyID, state, since, retiresAt = '-' }) => [
    String(generation),
    keyID,
    state,
    ageOf(since, now),
    retiresAt,
  ])

interface Ref {
  readonly namespace: string
  readonly name: string
}

const section = (title: string, rows: readonly Row[]): string =>
  `${paint(process.stdout, 'bold', title)}\n${printTable(rows)}`

/** A status lists some of many. */
const withRest = (rows: readonly Row[], count: number | undefined): readonly Row[] =>
  count === undefined ? rows : [...rows, [`and ${count - rows.length} more`]]

const withHeader = (header: Row, rows: readonly Row[]): readonly Row[] =>
  rows.length === 0 ? [['none']] : [header, ...rows]

const overviewOf = (agent: LedgerClusterAgent, now: number): readonly Row[] => {
  const { metadata, spec, status } = agent
  const namespaces = spec?.additionalNamespaces ?? []
  return [
    ['Name', metadata.name],
    ['Phase', phaseOf(agent)],
    ['Key ID', status?.keyID ?? '-'],
    ['Scopes', printScopes(agent)],
    ['God', spec?.god === true ? 'yes' : 'no'],
    ['Selector', printSelector(spec?.selector)],
    ['Additional namespaces', namespaces.length === 0 ? '-' : namespaces.join(', ')],
    ['Operator', metadata.annotations?.[claimAnnotation] ?? '-'],
    ['Age', ageOf(metadata.creationTimestamp, now)],
  ]
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

const printSelector = (selector: unknown): string => {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as LabelSelector
  const terms = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) =>
      values.length === 0 ? `${key} ${operator}` : `${key} ${operator} (${values.join(', ')})`,
    ),
  ]
  return terms.length === 0 ? 'every service' : terms.join(', ')
}

/** Whether a selector leaves no service out. */
export const matchesEverything = (selector: unknown): boolean => printSelector(selector) === 'every service'
