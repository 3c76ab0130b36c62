import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { aLedger } from '../kit/ledger.ts'

test('LSV-20 an agent whose selector means nothing keeps what is listed of it', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  const before = await ledger.list()
  const selector = { matchLabels: null, matchExpressions: [{ key: 'x', operator: 'In', values: [] }] }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { selector } })
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'SelectorFailed' })
  expect((await ledger.list())?.data).toEqual(before?.data)
})
