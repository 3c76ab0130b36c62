import { LedgerService } from '../../src/api/ledgerservice.ts'
import { days } from '../../src/pure/duration.ts'
import { generation, keyIdIn, revoke, rotate } from '../kit/keys-of-suite.ts'
import { Ledger } from '../kit/ledger.ts'
import { serviceKey } from '../kit/services.ts'
import type { Suite } from '../kit/suite.ts'
import { type Scenario, served } from './scenarios.ts'
import { arrangeLedger, createLedger, rolling } from './service-scenarios.ts'

/** Every pod has what is listed. */
const rollOut = (suite: Suite, role = 'a'): Promise<void> => new Ledger(suite, [], role).rollOut()

/** A rotation that waits for pods. */
const arrangeRotation = async (suite: Suite, role = 'a'): Promise<void> => {
  await arrangeLedger(suite, role)
  await rotate(suite, 'spring')
  await suite.settle()
}

/** The next key is in use, and the former one still accepted. */
const arrangeOverlap = async (suite: Suite): Promise<void> => {
  await arrangeRotation(suite)
  await rollOut(suite)
  await suite.settle()
}

/** As after a long sleep of the host: the clock has gone on, and no watch has been silent meanwhile. */
const sleepThroughOverlap = (suite: Suite): Promise<void> => {
  suite.clock.setWall(days(8))
  suite.operator.resync()
  return Promise.resolve()
}

const revokeSecond = async (suite: Suite): Promise<void> => revoke(suite, keyIdIn(await generation(suite, 2)))

const unlabel = async (suite: Suite): Promise<void> => {
  const labels = Object.fromEntries(Object.keys(suite.labels).map((label) => [label, null]))
  await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { metadata: { labels } })
}

const bothAtWork = { startsWithAgent: true, withServices: true } as const
const spared = { ...bothAtWork, isSpared: true } as const
const firstServed = served(['a'], ['a'])
const loaded = { isStamped: true, ready: 'AllReplicasReady' } as const

/** What comes later in a rotation, and what comes between. The operator looks after agents and services. */
export const rotationScenarios: readonly Scenario[] = [
  {
    name: 'the overlap ends',
    ...spared,
    arrange: arrangeOverlap,
    act: sleepThroughOverlap,
    asksToRemove: [],
    end: {
      ...firstServed,
      generations: ['1 Draining', '2 Current'],
      ledger: { listed: ['2'], ...rolling, revision: 2 },
    },
  },
  {
    name: 'pods drop the former key',
    ...bothAtWork,
    async arrange(suite) {
      await arrangeOverlap(suite)
      await sleepThroughOverlap(suite)
    },
    act: rollOut,
    asksToRemove: ['operator'],
    end: { ...firstServed, generations: ['2 Current'], ledger: { listed: ['2'], ...loaded, revision: 2 } },
  },
  {
    name: 'revoke the key in use during the overlap',
    ...spared,
    arrange: arrangeOverlap,
    act: revokeSecond,
    asksToRemove: [],
    end: {
      ...firstServed,
      generations: ['1 Current', '2 Revoked', '3 Minted'],
      ledger: { listed: ['1', '3'], ...rolling },
    },
  },
  {
    name: 'pods load the key that follows a revoked one',
    ...spared,
    async arrange(suite) {
      await arrangeOverlap(suite)
      await revokeSecond(suite)
    },
    act: rollOut,
    asksToRemove: ['operator'],
    end: {
      ...firstServed,
      generations: ['1 Retiring', '3 Current'],
      ledger: { listed: ['1', '3'], ...loaded },
    },
  },
  {
    name: 'the service that a rotation waits for matches no longer',
    ...spared,
    async arrange(suite) {
      await arrangeLedger(suite)
      await createLedger(suite, 'b')
      await suite.settle()
      await rotate(suite, 'spring')
      await suite.settle()
      await rollOut(suite, 'b')
    },
    act: unlabel,
    asksToRemove: ['a'],
    end: {
      ...served(['b'], ['b']),
      generations: ['1 Retiring', '2 Current'],
      ledger: { listed: ['nobody'], ...rolling, revision: 2 },
    },
  },
  {
    name: 'another service comes during a rotation',
    ...spared,
    arrange: (suite) => arrangeRotation(suite, 'b'),
    act: createLedger,
    asksToRemove: [],
    end: {
      ...served(['a', 'b'], ['b']),
      generations: ['1 Current', '2 Minted'],
      ledger: { listed: ['1', '2'], ...rolling, revision: 0 },
    },
  },
]
