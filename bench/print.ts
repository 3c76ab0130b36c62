import { availableParallelism, cpus, loadavg } from 'node:os'
import { type CaseName, caseNames } from './cases.ts'
import type { Requests } from './count-requests.ts'
import type { Times } from './subjects.ts'
import { median, print, ratio, table } from './table.ts'

export interface Measured {
  readonly operator: readonly Record<CaseName, Times>[]
  readonly bare: readonly Record<CaseName, Times>[]
  readonly requests: Record<CaseName, Requests>
}

const titles: Record<CaseName, (size: number) => string> = {
  agents: (size) => `${size} agents with one namespace each, until Ready`,
  namespaces: (size) => `one agent with ${size} namespaces, until Ready`,
  deletion: (size) => `deleting the ${size} agents, until all is gone`,
}

/** Seconds of formancehq/ledger's operator at dbc0ecb, for 300 agents on two cores and Kubernetes 1.36.3. */
const goOperator = { size: 300, agents: 30.2, namespaces: 13.6, deletion: 29.8 } as const

export const printMachine = (): string =>
  [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `Node ${process.version}`,
    `load average ${loadavg()[0]?.toFixed(1) ?? 'unknown'} at the start`,
  ].join(', ')

export const printTimes = (
  { operator, bare, requests }: Measured,
  { size, repeat }: { size: number; repeat: number },
): string => {
  const rows = caseNames.map((name) => {
    const of = (runs: Measured['operator'], figure: keyof Times) => median(runs.map((run) => run[name][figure]))
    const [ours, floor] = [of(operator, 'seconds'), of(bare, 'seconds')]
    return [
      titles[name](size),
      print(ours, 2),
      print(floor, 2),
      print(ratio(ours, floor), 2),
      print(size === goOperator.size ? goOperator[name] : undefined, 1),
      `${requests[name].reads}`,
      `${requests[name].writes}`,
      print(of(operator, 'cpuSeconds'), 2),
      print(of(bare, 'cpuSeconds'), 2),
      print(of(operator, 'residentMegabytes'), 0),
    ]
  })
  const head = [
    `seconds, median of ${repeat}`,
    'operator',
    'bare client',
    'ratio',
    'Go operator (measured elsewhere)',
    'reads',
    'writes',
    'CPU s',
    'bare CPU s',
    'RSS MB',
  ]
  return table([head, ...rows])
}

export const printRequests = (requests: Record<CaseName, Requests>): string => {
  const verbs = [...new Set(caseNames.flatMap((name) => [...requests[name].byVerb.keys()]))].sort()
  const rows = verbs.map((verb) => [verb, ...caseNames.map((name) => `${requests[name].byVerb.get(verb) ?? 0}`)])
  return table([['operator’s requests', ...caseNames], ...rows])
}
