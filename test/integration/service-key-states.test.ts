import { describe, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { readKeyList } from '../../src/pure/key-list.ts'
import { Pod, Secret, StatefulSet } from '../../src/pure/kind.ts'
import { revokedAnnotation, serviceNames } from '../../src/pure/names.ts'
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

describe('LSV-19 while the selector of an agent means nothing', () => {
  const aFaultyLedger = async () => {
    const ledger = await aLedger()
    const { suite } = ledger
    const selector = { matchExpressions: [{ key: 'team', operator: 'In' }] }
    await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { selector } })
    await suite.settle()
    expect(await ledger.listed()).toEqual([suite.agentName])
    return ledger
  }

  test('a key that is revoked leaves the list', async () => {
    await using ledger = await aFaultyLedger()
    const keyId = (await ledger.suite.agent())?.status?.keyID ?? ''
    await revoke(ledger.suite, keyId)
    await ledger.suite.settle()
    expect((await ledger.list())?.data?.['auth-keys.json']).not.toContain(keyId)
  })

  test('an agent that is deleted leaves the list, and can go', async () => {
    await using ledger = await aFaultyLedger()
    await ledger.suite.deleteAgent()
    await ledger.suite.settle()
    expect(await ledger.listed()).toEqual([undefined])
    expect(await ledger.suite.agent()).toBeUndefined()
  })
})

describe('LSV-29 keys leave the pods of a service that is held', () => {
  const aHeldLedger = async () => {
    const ledger = await aLedger()
    await ledger.suite.createNamespaces('b')
    await ledger.suite.target(['b'])
    await ledger.rollOut()
    await ledger.change({ restore: true })
    await ledger.suite.settle()
    return ledger
  }

  test('also when its StatefulSet has lost the label that it is found by', async () => {
    await using ledger = await aHeldLedger()
    const { suite } = ledger
    const before = await ledger.stamp()
    const labels = { [serviceNames.managedBy.label]: 'somebody' }
    await suite.user.patch(StatefulSet, ledger.at('ledger-books'), { metadata: { labels } })
    await suite.settle()
    const keyId = (await suite.agent())?.status?.keyID ?? ''
    await revoke(suite, keyId)
    await suite.settle()
    expect((await ledger.stamp())?.hash).not.toBe(before?.hash)
    expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'False', reason: 'Revoking' })
    await ledger.rollOut()
    await suite.settle()
    expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'True', reason: 'Revoked' })
  })

  test('LCA-63 and pods that lost their StatefulSet are waited for', async () => {
    await using ledger = await aHeldLedger()
    const { suite } = ledger
    const labels = { 'app.kubernetes.io/name': 'ledger', 'app.kubernetes.io/instance': 'books' }
    const containers = [{ name: 'ledger', image: 'ledger' }]
    await suite.user.create(Pod, { metadata: { ...ledger.at('ledger-books-0'), labels }, spec: { containers } })
    await suite.user.delete(StatefulSet, ledger.at('ledger-books'))
    await suite.settle()
    await revoke(suite, (await suite.agent())?.status?.keyID ?? '')
    await suite.settle()
    expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'False', reason: 'Revoking' })
    await suite.user.delete(Pod, ledger.at('ledger-books-0'))
    await suite.settle()
    expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'True', reason: 'Revoked' })
  })
})
