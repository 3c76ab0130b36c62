import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { ledgerClusterAgentController } from '../../src/controllers/ledgerclusteragent/controller.ts'
import { Namespace } from '../../src/pure/kind.ts'
import { claimAnnotation } from '../../src/pure/names.ts'
import { keyOf, preconditionOf } from '../../src/pure/object.ts'
import type { Controller } from '../../src/runtime/controller.ts'
import type { Described } from '../kit/request.ts'
import { aSuite } from '../kit/suite.ts'

const refusing = (statusOf: (described: Described) => number | undefined) => ({
  gate: {
    onCall: (_: unknown, described: Described) => {
      const status = described.verb === 'create' ? statusOf(described) : undefined
      return status === undefined ? undefined : () => Promise.resolve({ status, retryAfter: undefined, body: '{}' })
    },
  },
})

test('LCA-29 a namespace that only needs another look does not hide the refusal of another', async () => {
  await using suite = await aSuite(
    ['a', 'b'],
    refusing(({ namespace }) => ({ [suite.named('a')]: 409, [suite.named('b')]: 403 })[namespace ?? '']),
  )
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.idle()
  expect(await suite.condition()).toMatchObject({
    reason: 'WriteFailed',
    message: `cannot create Secret ${suite.named('b')}/${suite.replicaKey('b').name}: the API server answered 403`,
  })
})

test('LCA-29 a conflict that does not pass is reported in the end', async () => {
  await using suite = await aSuite(
    ['a'],
    refusing(({ namespace }) => (namespace === suite.named('a') ? 409 : undefined)),
  )
  await suite.start()
  await suite.createAgent(['a'])
  for (let turns = 0; turns < 8; turns += 1) {
    await suite.idle()
    suite.turnToNextTimer()
  }
  await suite.idle()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'WriteFailed' })
})

test('LCA-29 a key that cannot be made because the operator’s namespace is being deleted is reported in the end', async () => {
  await using suite = await aSuite(['a'])
  await suite.user.delete(Namespace, { name: suite.operatorNamespace })
  await suite.start()
  await suite.createAgent(['a'])
  for (let turns = 0; turns < 8; turns += 1) {
    await suite.idle()
    suite.turnToNextTimer()
  }
  await suite.idle()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'WriteFailed' })
  expect((await suite.condition())?.message).toContain('403 Forbidden (NamespaceTerminating')
})

/** A controller that marks its agent anew in every pass; those of other tests it leaves alone. */
const restless = (namespace: string): Controller => {
  const real = ledgerClusterAgentController(namespace)
  let passes = 0
  return {
    ...real,
    decide: (observed) => {
      const { object } = observed
      const plan = real.decide(observed as Parameters<typeof real.decide>[0])
      if (object.metadata.annotations?.[claimAnnotation] !== namespace) return plan
      const set = { annotations: { 'example.com/pass': String((passes += 1)) } }
      const about = { kind: LedgerClusterAgent, key: keyOf(object), on: preconditionOf(object) }
      return { ...plan, steps: [[{ do: 'mark', ...about, set }]] }
    },
  }
}

test('LCA-29 an operator that cannot come to rest stops for a while and says what it still had to do', async () => {
  await using suite = await aSuite(['a'], { controller: restless })
  await suite.start()
  await suite.createAgent(['a'])
  await suite.idle()
  expect(await suite.condition()).toMatchObject({
    reason: 'PassFailed',
    message: `not at rest after 20 passes, and still to mark ${suite.agentName}`,
  })
})
