import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { Service } from '../../src/pure/kind.ts'
import { aLedger, type Ledger } from '../kit/ledger.ts'
import { plan } from './run-plan.ts'

/** The plan for the ledger's service, with the names of this run masked. */
const planFor = async ({ suite, key }: Ledger) => {
  const { namespace, name } = key()
  const { code, stdout } = await plan(`ledgerservice/${namespace}/${name}`)
  return { code, stdout: stdout.replaceAll(suite.id, '*').replaceAll(/\b[0-9a-f]{64}\b/g, '#') }
}

test('PLAN-7 a service at rest is one line, and the exit code is 0', async () => {
  await using ledger = await aLedger()
  await ledger.rollOut()
  await ledger.suite.settle()
  await ledger.suite.stop()

  expect(await planFor(ledger)).toEqual({
    code: 0,
    stdout: [
      'LedgerService a-*/books: kept (AllReplicasReady: 3/3 replicas ready), nothing to do',
      '1 object, 0 with changes, 0 effects',
      '',
    ].join('\n'),
  })
})

test('PLAN-3 PLAN-4 more replicas, and a Service that somebody deleted, are shown step by step', async () => {
  await using ledger = await aLedger()
  // The first change of an object that was created takes its fields over; then there is an apply to plan.
  await ledger.change({ replicas: 5 })
  await ledger.suite.settle()
  await ledger.suite.stop()
  await ledger.change({ replicas: 7 })
  await ledger.suite.user.delete(Service, ledger.at('ledger-books-headless'))

  const { code, stdout } = await planFor(ledger)

  expect(code).toBe(1)
  expect(stdout.split('\n').filter((line) => /^( {2})?\S|replicas/.test(line))).toEqual([
    'LedgerService a-*/books: kept (ReplicasNotReady: 0/7 replicas ready)',
    '  step 1 of 2',
    '  create Service a-*/ledger-books-headless',
    '  step 2 of 2',
    '  apply StatefulSet a-*/ledger-books',
    '    - spec.replicas: 5',
    '    + spec.replicas: 7',
    '1 object, 1 with changes, 2 effects',
  ])
})

test('PLAN-13, PLAN-14 a change of keys that is still debounced is shown, with the restart that it causes', async () => {
  await using ledger = await aLedger()
  await ledger.rollOut()
  await ledger.suite.settle()
  await ledger.suite.stop()
  const { agentName: name } = ledger.suite
  await ledger.suite.user.patch(LedgerClusterAgent, { name }, { spec: { scopes: ['ledger:read'] } })

  const { code, stdout } = await planFor(ledger)

  expect(code).toBe(1)
  const kept = 'kept (AllReplicasReady: 3/3 replicas ready)'
  expect(stdout.split('\n').filter((line) => /^( {2})?\S|restarted/.test(line))).toEqual([
    `LedgerService a-*/books: ${kept}`,
    '  say in its status',
    `  then: ${kept}`,
    '  mark ConfigMap a-*/ledger-books-auth-keys',
    `  then: ${kept}`,
    '  step 1 of 2',
    '  apply ConfigMap a-*/ledger-books-auth-keys',
    '  step 2 of 2',
    '  mark StatefulSet a-*/ledger-books',
    `  then: ${kept}`,
    '  apply StatefulSet a-*/ledger-books',
    '    the pod template changes: pods are restarted',
    '1 object, 1 with changes, 4 effects',
  ])
})
