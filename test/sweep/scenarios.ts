import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { ConfigMap, Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation, takeoverAnnotation } from '../../src/pure/names.ts'
import { aKey } from '../fixtures/agent.ts'
import { condemn } from '../kit/key-guard.ts'
import { createKeyList, createService, deleteService, keyListKey } from '../kit/services.ts'
import type { Suite } from '../kit/suite.ts'
import { type End, foreignPassword } from './scenario-end.ts'

/** Something that somebody does to a cluster at rest. What it leads to is disturbed, plan by plan. */
export interface Scenario {
  readonly name: string
  readonly startsWithAgent: boolean
  /** The namespaces that the operator serves; absent: all. */
  readonly watchedRoles?: readonly string[]
  /** Whether the operator looks after services too; otherwise their part is played. */
  readonly withServices?: boolean
  /**
   * Whether it is spared what other scenarios have: what befalls any connection then befalls it at one write alone. With
   * services it is spared that too, and what befalls those writes of a service's controller that are not about keys.
   */
  readonly isSpared?: boolean
  /** Undisturbed, before. */
  readonly arrange: (suite: Suite) => Promise<void>
  readonly act: (suite: Suite) => Promise<void>
  /** Roles of the namespaces whose key Secrets somebody asked to go. */
  readonly asksToRemove: readonly string[]
  readonly end: End
}

/** The key is everywhere, and nothing else is. */
export const served = (roles: readonly string[], annotated: readonly string[]): End => ({
  ready: 'KeyPairReady',
  holders: [...roles, 'operator'].sort(),
  foreign: [],
  annotated,
})

export const withAgent = (...roles: readonly string[]) => ({
  arrange: (suite: Suite) => suite.createAgent(roles),
  startsWithAgent: true,
})

/** At rest, whether the operator runs in this process or in one of its own. */
export const settled = async (suite: Suite, question: string, isSo: () => Promise<boolean>): Promise<void> => {
  await suite.settle()
  await eventually(question, isSo)
}

export const isReady = (suite: Suite): Promise<void> =>
  settled(suite, 'the agent is ready', async () => (await suite.condition())?.status === 'True')

export const gone: End = { ready: undefined, holders: [], foreign: [], annotated: [] }

const withService = {
  startsWithAgent: true,
  arrange: async (suite: Suite) => {
    await createService(suite, 'a')
    await suite.createAgent([])
  },
}

const withListing = {
  startsWithAgent: true,
  arrange: async (suite: Suite) => {
    await withService.arrange(suite)
    await isReady(suite)
    await createKeyList(suite, 'a', '0'.repeat(64))
  },
}

/** A copy that a former operator made. */
const createCopy = (suite: Suite, role: string, data: Readonly<Record<string, string>>): Promise<void> => {
  const labels = { [agentNames.label]: suite.agentName }
  return suite.user.as('ledger-operator').create(Secret, { metadata: { ...suite.replicaKey(role), labels }, data })
}

/** An agent as it is when our first mark is on it. */
const createFormerAgent = (suite: Suite, roles: readonly string[]): Promise<void> =>
  suite.createAgent(roles, {
    finalizers: [agentNames.finalizer],
    annotations: { [claimAnnotation]: suite.operatorNamespace, [takeoverAnnotation]: 'ledger-operator' },
  })

const onAgents: readonly Scenario[] = [
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
    startsWithAgent: true,
    async arrange(suite) {
      await suite.createAgent(['a', 'b'])
      await isReady(suite)
      const canonical = (await suite.canonical())!
      // The status shows to the second when a key was made: only a later second makes the controller write it again.
      const madeAt = Date.parse(canonical.metadata.creationTimestamp ?? '')
      await eventually('a later second has begun', () => Date.now() >= madeAt + 1000)
      await condemn(suite.user, canonical)
    },
    act: (suite) => suite.user.delete(Secret, suite.canonicalKey()),
    asksToRemove: [],
    end: served(['a', 'b'], ['a', 'b']),
  },
  {
    name: 'delete the agent',
    ...withAgent('a', 'b'),
    act: (suite) => suite.user.delete(LedgerClusterAgent, { name: suite.agentName }),
    asksToRemove: ['a', 'b', 'operator'],
    end: gone,
  },
  {
    name: 'a service comes',
    ...withAgent(),
    act: (suite) => createService(suite, 'a'),
    asksToRemove: [],
    end: served(['a'], []),
  },
  {
    name: 'a service goes',
    ...withService,
    act: (suite) => deleteService(suite, 'a'),
    asksToRemove: ['a'],
    end: { ...served([], []), ready: 'NoTargets' },
  },
  {
    name: 'a service that was deleted is made again',
    startsWithAgent: false,
    async arrange(suite) {
      await withService.arrange(suite)
      await isReady(suite)
      await deleteService(suite, 'a')
      await settled(suite, 'the agent has no target', async () => (await suite.condition())?.reason === 'NoTargets')
    },
    act: (suite) => createService(suite, 'a'),
    asksToRemove: ['a'],
    end: served(['a'], []),
  },
  {
    name: 'delete the agent while a service lists its key',
    ...withListing,
    act: (suite) => suite.deleteAgent(),
    asksToRemove: ['a', 'operator'],
    end: { ...gone, ready: 'Deleting' },
  },
  {
    name: 'the last service drops the key of a deleted agent',
    startsWithAgent: false,
    async arrange(suite) {
      await withListing.arrange(suite)
      await suite.settle()
      await suite.deleteAgent()
      await settled(suite, 'the agent waits', async () => (await suite.condition())?.reason === 'Deleting')
    },
    act: (suite) => suite.user.delete(ConfigMap, keyListKey(suite, 'a')),
    asksToRemove: ['a', 'operator'],
    end: gone,
  },
  {
    name: 'adopt the key of a former operator’s copies',
    startsWithAgent: false,
    arrange: () => Promise.resolve(),
    async act(suite) {
      for (const role of ['a', 'b']) await createCopy(suite, role, aKey())
      await createFormerAgent(suite, ['a'])
    },
    asksToRemove: ['b'],
    end: served(['a'], []),
  },
  {
    name: 'copies of a former operator that differ',
    startsWithAgent: false,
    arrange: () => Promise.resolve(),
    async act(suite) {
      await createCopy(suite, 'a', aKey())
      await createCopy(suite, 'b', aKey(9))
      await createFormerAgent(suite, ['a'])
    },
    asksToRemove: [],
    end: { ready: 'AdoptionAmbiguous', holders: [], foreign: [], annotated: [] },
  },
  {
    name: 'an operator of one namespace is asked for two',
    ...withAgent('a'),
    watchedRoles: ['a'],
    act: (suite) => suite.target(['a', 'b']),
    asksToRemove: [],
    end: { ...served(['a'], ['a']), ready: 'OutOfScope' },
  },
]

/** Between them these send every sort of write that an agent leads to. */
const unspared: ReadonlySet<string> = new Set([
  'create an agent',
  'edit a replica',
  'delete the canonical by hand',
  'delete the agent',
])

export const scenarios: readonly Scenario[] = onAgents.map((scenario) => ({
  ...scenario,
  isSpared: !unspared.has(scenario.name),
}))
