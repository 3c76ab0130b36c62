import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import type { Suite } from '../kit/suite.ts'
import { type End, foreignPassword } from './scenario-end.ts'

/** Something that somebody does to a cluster at rest. What it leads to is disturbed, plan by plan. */
export interface Scenario {
  readonly name: string
  readonly startsWithAgent: boolean
  /** Undisturbed, before. */
  readonly arrange: (suite: Suite) => Promise<void>
  readonly act: (suite: Suite) => Promise<void>
  /** Roles of the namespaces whose key Secrets somebody asked to go. */
  readonly asksToRemove: readonly string[]
  readonly end: End
}

/** The key is everywhere, and nothing else is. */
const served = (roles: readonly string[], annotated: readonly string[]): End => ({
  ready: 'KeyPairReady',
  holders: [...roles, 'operator'].sort(),
  foreign: [],
  annotated,
})

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
    end: served(['a', 'b'], []),
  },
  {
    name: 'add a namespace',
    ...withAgent('a'),
    act: (suite) => suite.target(['a', 'b']),
    asksToRemove: [],
    end: served(['a', 'b'], ['a']),
  },
  {
    name: 'remove a namespace',
    ...withAgent('a', 'b'),
    act: (suite) => suite.target(['a']),
    asksToRemove: ['b'],
    end: served(['a'], ['a']),
  },
  {
    name: 'a named namespace comes late',
    ...withAgent('a', 'late'),
    act: (suite) => suite.createNamespaces('late'),
    asksToRemove: [],
    end: served(['a', 'late'], ['a']),
  },
  {
    name: 'edit a replica',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.patch(Secret, suite.replicaKey('a'), { data: { 'seed.hex': 'b3RoZXI=' } }),
    asksToRemove: [],
    end: served(['a', 'b'], ['a', 'b']),
  },
  {
    name: 'replace a replica by a foreign one',
    ...withAgent('a', 'b'),
    async act(suite) {
      suite.gate.hold('*')
      await suite.user.delete(Secret, suite.replicaKey('a'))
      await suite.user.create(Secret, { metadata: suite.replicaKey('a'), data: { password: foreignPassword } })
      suite.gate.release()
    },
    asksToRemove: [],
    end: { ready: 'ForeignSecret', holders: ['b', 'operator'], foreign: ['a'], annotated: ['b'] },
  },
  {
    name: 'delete the canonical by hand',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.delete(Secret, suite.canonicalKey()),
    asksToRemove: [],
    end: served(['a', 'b'], ['a', 'b']),
  },
  {
    name: 'delete the agent',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.delete(LedgerClusterAgent, { name: suite.agentName }),
    asksToRemove: ['a', 'b', 'operator'],
    end: { ready: undefined, holders: [], foreign: [], annotated: [] },
  },
]
