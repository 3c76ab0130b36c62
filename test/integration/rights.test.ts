import { expect, test } from 'vitest'
import { declaredAccount } from '../kit/declared-account.ts'
import { asAdmin } from '../kit/standing.ts'
import { aSuite } from '../kit/suite.ts'

test('an operator with the rights that were declared, and no others, hands out keys and takes them back', async () => {
  await using suite = await aSuite(['team'])
  await using account = await declaredAccount(suite.operatorScope)

  await suite.start(undefined, { ...asAdmin(), connection: account.port })
  await suite.createAgent(['team'])
  await suite.settle()
  const condition = await suite.condition()
  const replica = await suite.replica('team')
  await suite.deleteAgent()
  await suite.settle()
  await suite.stop()

  expect(condition).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
  expect(replica).toBeDefined()
  expect(await suite.agent()).toBeUndefined()
  expect(await suite.secrets()).toEqual([])
  expect(suite.logs.filter((line) => line.includes('403'))).toEqual([])
})
