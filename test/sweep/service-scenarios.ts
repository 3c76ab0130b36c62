import { LedgerService } from '../../src/api/ledgerservice.ts'
import { ConfigMap } from '../../src/pure/kind.ts'
import { aKey } from '../fixtures/agent.ts'
import { generation, keyIdIn, revoke, rotate } from '../kit/keys-of-suite.ts'
import { Ledger } from '../kit/ledger.ts'
import { createService, keyListKey, serviceKey } from '../kit/services.ts'
import type { Suite } from '../kit/suite.ts'
import { gone, type Scenario, served } from './scenarios.ts'

export const createLedger = (suite: Suite, role = 'a'): Promise<void> =>
  createService(suite, role, { spec: { auth: { enabled: true } } })

/** An agent with a service whose pods have loaded its key. */
export const arrangeLedger = async (suite: Suite, role = 'a'): Promise<void> => {
  await suite.createAgent([])
  // A service that is seen before its agent lists nobody's key first.
  await suite.settle()
  await createLedger(suite, role)
  await suite.settle()
  await new Ledger(suite, [], role).rollOut()
  await suite.settle()
}

const withLedger = { startsWithAgent: true, withServices: true, arrange: arrangeLedger } as const

const revokeFirst = async (suite: Suite): Promise<void> => revoke(suite, keyIdIn(await generation(suite, 1)))

const firstServed = served(['a'], ['a'])
/** Pods are made anew, and the test makes none. */
export const rolling = { isStamped: true, ready: 'ReplicasNotReady' } as const

/** What happens to a service and its keys. The operator looks after agents and services, and each follows the other. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'make a service',
    startsWithAgent: true,
    withServices: true,
    arrange: (suite) => suite.createAgent(['b']),
    act: createLedger,
    asksToRemove: [],
    end: { ...served(['a', 'b'], ['b']), ledger: { listed: ['1'], ...rolling, revision: 0 } },
  },
  {
    name: 'the next key joins the list',
    ...withLedger,
    act: (suite) => rotate(suite, 'spring'),
    asksToRemove: [],
    end: {
      ...firstServed,
      generations: ['1 Current', '2 Minted'],
      ledger: { listed: ['1', '2'], ...rolling, revision: 1 },
    },
  },
  {
    name: 'pods load the next key',
    ...withLedger,
    async arrange(suite) {
      await arrangeLedger(suite)
      await rotate(suite, 'spring')
    },
    act: (suite) => new Ledger(suite).rollOut(),
    asksToRemove: [],
    end: {
      ...firstServed,
      generations: ['1 Retiring', '2 Current'],
      ledger: { listed: ['1', '2'], isStamped: true, ready: 'AllReplicasReady', revision: 1 },
    },
  },
  {
    name: 'revoke a key that a service lists',
    ...withLedger,
    act: revokeFirst,
    asksToRemove: [],
    end: { ...firstServed, generations: ['1 Revoked', '2 Current'], ledger: { listed: ['2'], ...rolling } },
  },
  {
    name: 'somebody spoils the key list',
    ...withLedger,
    act: (suite) =>
      suite.user.patch(ConfigMap, keyListKey(suite, 'a'), {
        data: {
          'agent-stranger-pubkey.hex': Buffer.from(aKey(9)['pubkey.hex'] ?? '', 'base64').toString(),
          [`agent-${suite.agentName}-pubkey.hex`]: null,
          'auth-keys.json': '{',
        },
      }),
    asksToRemove: [],
    end: { ...firstServed, ledger: { listed: ['1'], ...rolling, revision: 1 } },
  },
  {
    name: 'delete an agent that a service lists',
    ...withLedger,
    act: (suite) => suite.deleteAgent(),
    asksToRemove: ['a', 'operator'],
    end: { ...gone, ledger: { listed: ['nobody'], ...rolling, revision: 1 } },
  },
  {
    name: 'a field without effect is set, and a key revoked',
    ...withLedger,
    async act(suite) {
      await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { spec: { restore: true } })
      await revokeFirst(suite)
    },
    asksToRemove: [],
    end: {
      ...firstServed,
      generations: ['1 Revoked', '2 Current'],
      ledger: { listed: ['2'], isStamped: true, ready: 'UnsupportedFields' },
    },
  },
]
