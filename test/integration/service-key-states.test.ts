import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { readKeyList } from '../../src/pure/key-list.ts'
import { Secret, StatefulSet } from '../../src/pure/kind.ts'
import { revokedAnnotation } from '../../src/pure/names.ts'
import { suiteLabel } from '../kit/idle.ts'
import { revoke } from '../kit/keys-of-suite.ts'
import { aLedger } from '../kit/ledger.ts'

test('LSV-25 a key is Published, then Loaded, and Draining when it has left the list', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  const keyID = (await suite.agent())?.status?.keyID
  const keys = async () => (await ledger.service())?.status?.authKeys
  expect(await keys()).toEqual([{ agent: suite.agentName, keyID, state: 'Published' }])
  await ledger.rollOut()
  await suite.settle()
  expect(await keys()).toEqual([{ agent: suite.agentName, keyID, state: 'Loaded' }])
  const annotations = { [revokedAnnotation]: '2026-01-01T00:00:00Z' }
  await suite.user.patch(Secret, suite.canonicalKey(), { metadata: { annotations } })
  await suite.settle()
  expect(await keys()).toContainEqual({ agent: suite.agentName, keyID, state: 'Draining' })
  await ledger.rollOut()
  await suite.settle()
  expect((await keys()) ?? []).not.toContainEqual(expect.objectContaining({ keyID }))
})

test('LSV-25 LCA-63 a key that is revoked is waited for, also where its agent has nothing to do with the service any more', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await suite.createNamespaces('b')
  await suite.target(['b'])
  await ledger.rollOut()
  await suite.settle()
  const keyID = (await suite.agent())?.status?.keyID ?? ''
  await suite.user.patch(LedgerService, ledger.key(), { metadata: { labels: { [suiteLabel]: 'other' } } })
  await suite.settle()
  expect((await ledger.service())?.status?.authKeys).toEqual([{ agent: suite.agentName, keyID, state: 'Draining' }])
  await revoke(suite, keyID)
  await suite.settle()
  expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'False', reason: 'Revoking' })
  expect((await suite.condition('RevocationComplete'))?.message).toContain(`${suite.named('a')}/books`)
  await ledger.rollOut()
  await suite.settle()
  expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'True', reason: 'Revoked' })
  expect((await ledger.service())?.status?.authKeys).toBeUndefined()
})

test('LSV-26 a list that was changed and changed back makes new pods', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  const before = await ledger.stamp()
  const scopes = (wanted: readonly string[] | null) =>
    suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { scopes: wanted } })
  await scopes(['ledger:read'])
  await suite.settle()
  const between = await ledger.stamp()
  await scopes(null)
  await suite.settle()
  const after = await ledger.stamp()
  expect(between?.hash).not.toBe(before?.hash)
  expect(after).toEqual({ hash: before?.hash, revision: 2 })
  expect(readKeyList((await ledger.list())?.data ?? {})).toMatchObject({ known: [{ scopes: null }] })
  expect((await suite.client.get(StatefulSet, ledger.at('ledger-books')))?.metadata.generation).toBe(3)
})
