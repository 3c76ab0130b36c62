import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Secret } from '../../src/pure/kind.ts'
import { condemn } from '../kit/key-guard.ts'
import { backupOf, generation, keyIdIn, revoke, rotate, statesOf } from '../kit/keys-of-suite.ts'
import { PlayedService } from '../kit/played-service.ts'
import type { Suite } from '../kit/suite.ts'
import { gone, isReady, type Scenario, served, settled, withAgent } from './scenarios.ts'

const everywhere = served(['a', 'b'], ['a', 'b'])

/** An agent with a service, which has listed and loaded the first key. */
const withLoadedService = async (suite: Suite): Promise<PlayedService> => {
  const service = new PlayedService(suite, 'a')
  await service.create()
  await suite.createAgent(['b'])
  await isReady(suite)
  await service.list(1)
  await service.load()
  return service
}

const hasStates = (suite: Suite, ...states: readonly string[]): Promise<void> =>
  settled(suite, `its keys are ${states.join(', ')}`, async () => (await statesOf(suite)).join() === states.join())

/** A rotation that waits for its service. */
const withRotation = async (suite: Suite): Promise<PlayedService> => {
  const service = await withLoadedService(suite)
  await rotate(suite, 'spring')
  await hasStates(suite, '1 Current', '2 Minted')
  return service
}

const backups = new WeakMap<Suite, ReturnType<typeof backupOf>>()

const onKeys: readonly Scenario[] = [
  {
    name: 'rotate without an overlap',
    startsWithAgent: true,
    async arrange(suite) {
      await suite.createAgent(['a', 'b'])
      const spec = { rotation: { overlap: '0s' } }
      await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec })
    },
    act: (suite) => rotate(suite, 'spring'),
    asksToRemove: ['operator'],
    end: { ...everywhere, generations: ['2 Current'] },
  },
  {
    name: 'the last service loads the next key',
    startsWithAgent: true,
    async arrange(suite) {
      const service = await withRotation(suite)
      await service.list(1, 2)
    },
    act: (suite) => PlayedService.continued(suite, 'a', 2).load(),
    asksToRemove: [],
    end: { ...everywhere, generations: ['1 Retiring', '2 Current'] },
  },
  {
    name: 'revoke the key',
    ...withAgent('a', 'b'),
    act: async (suite) => revoke(suite, keyIdIn(await generation(suite, 1))),
    asksToRemove: ['operator'],
    end: { ...everywhere, generations: ['2 Current'] },
  },
  {
    name: 'restore a revoked key from a backup',
    startsWithAgent: true,
    async arrange(suite) {
      await suite.createAgent(['a', 'b'])
      await isReady(suite)
      const first = (await generation(suite, 1))!
      backups.set(suite, backupOf(first))
      await revoke(suite, keyIdIn(first))
      await hasStates(suite, '2 Current')
      await revoke(suite)
    },
    act: (suite) => suite.user.create(Secret, backups.get(suite)!),
    asksToRemove: ['operator'],
    end: { ...everywhere, generations: ['2 Current'] },
  },
  {
    name: 'revoke the key during a rotation',
    startsWithAgent: true,
    async arrange(suite) {
      await withRotation(suite)
    },
    act: async (suite) => revoke(suite, keyIdIn(await generation(suite, 1))),
    asksToRemove: [],
    end: { ...everywhere, generations: ['1 Revoked', '2 Current'] },
  },
  {
    name: 'delete the key by hand during a rotation',
    startsWithAgent: true,
    async arrange(suite) {
      await withRotation(suite)
      await condemn(suite.user, (await generation(suite, 1))!)
    },
    act: (suite) => suite.user.delete(Secret, suite.canonicalKey()),
    asksToRemove: [],
    end: { ...everywhere, generations: ['1 Current', '2 Minted'] },
  },
  {
    name: 'delete the agent during a rotation',
    startsWithAgent: true,
    async arrange(suite) {
      await withRotation(suite)
    },
    act: (suite) => suite.deleteAgent(),
    asksToRemove: ['a', 'b', 'operator'],
    end: { ...gone, ready: 'Deleting' },
  },
]

/** What people ask of an agent's keys, and what comes of it. The services' part is played. */
export const keyScenarios: readonly Scenario[] = onKeys.map((scenario) => ({ ...scenario, isSpared: true }))
