import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import type { Suite } from '../kit/suite.ts'

/** Something that somebody does to a cluster at rest. What it leads to is disturbed, plan by plan. */
export interface Scenario {
  readonly name: string
  readonly startsWithAgent: boolean
  /** Undisturbed, before. */
  readonly arrange: (suite: Suite) => Promise<void>
  readonly act: (suite: Suite) => Promise<void>
  /** Roles of the namespaces whose key Secrets somebody asked to go. */
  readonly asksToRemove: readonly string[]
}

const withAgent = (...roles: readonly string[]) => ({
  arrange: (suite: Suite) => suite.createAgent(roles),
  startsWithAgent: true,
})

export const scenarios: readonly Scenario[] = [
  {
    name: 'create an agent',
    startsWithAgent: false,
    arrange: () => Promise.resolve(),
    act: (suite) => suite.createAgent(['a', 'b']),
    asksToRemove: [],
  },
  { name: 'add a namespace', ...withAgent('a'), act: (suite) => suite.target(['a', 'b']), asksToRemove: [] },
  { name: 'remove a namespace', ...withAgent('a', 'b'), act: (suite) => suite.target(['a']), asksToRemove: ['b'] },
  {
    name: 'a named namespace comes late',
    ...withAgent('a', 'late'),
    act: (suite) => suite.createNamespaces('late'),
    asksToRemove: [],
  },
  {
    name: 'edit a replica',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.patch(Secret, suite.replicaKey('a'), { data: { 'seed.hex': 'b3RoZXI=' } }),
    asksToRemove: [],
  },
  {
    name: 'replace a replica by a foreign one',
    ...withAgent('a', 'b'),
    async act(suite) {
      suite.gate.hold('*')
      await suite.user.delete(Secret, suite.replicaKey('a'))
      await suite.user.create(Secret, { metadata: suite.replicaKey('a'), data: { password: 'Zm9yZWlnbg==' } })
      suite.gate.release()
    },
    asksToRemove: [],
  },
  {
    name: 'delete the canonical by hand',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.delete(Secret, suite.canonicalKey()),
    asksToRemove: [],
  },
  {
    name: 'delete the agent',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.delete(LedgerClusterAgent, { name: suite.agentName }),
    asksToRemove: ['a', 'b', 'operator'],
  },
]
