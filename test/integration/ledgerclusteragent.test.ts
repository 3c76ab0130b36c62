import { expect, test } from 'vitest'
import { aSuite } from '../kit/suite.ts'

test('LCA-1 an agent gets one key, and every target namespace gets a copy of it', async () => {
  await using suite = await aSuite(['a', 'b'])
  await suite.start()
  await suite.createAgent(['a', 'b'])
  await suite.settle()

  const canonical = await suite.canonical()
  expect((await suite.replica('a'))?.data).toEqual(canonical?.data)
  expect((await suite.replica('b'))?.data).toEqual(canonical?.data)
})
