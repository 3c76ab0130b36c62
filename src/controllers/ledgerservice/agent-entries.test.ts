import { expect, test } from 'vitest'
import { aKey, keyIdOf, unread } from '../../../test/fixtures/agent.ts'
import { aGeneration, aMatchedAgent, aSight, podsWith } from '../../../test/fixtures/key-sight.ts'
import { type KeyEntry, keysHashOf } from '../../pure/key-list.ts'
import { entriesOf, isTakenBack, type SeenKey } from './agent-entries.ts'
import { keyWishOf } from './key-wish.ts'

const first = keyIdOf(aKey(1))
const second = keyIdOf(aKey(2))
const date = (day: number) => `2026-01-0${day}T00:00:00Z`

const listing = (...secrets: readonly SeenKey[]): readonly KeyEntry[] =>
  entriesOf(aMatchedAgent({ secrets }), []).entries
const keysOf = (secrets: readonly SeenKey[], listed: readonly KeyEntry[] = []) =>
  entriesOf(aMatchedAgent({ secrets }), listed).entries.map(({ keyId }) => keyId)

test('LSV-18 a Secret that somebody keeps under another name brings no key back', () => {
  const revoked = aGeneration(1, { revokedAt: date(1) })
  const backup = aGeneration(1, { name: 'ledger-biller-agent-canonical-backup' })
  expect(keysOf([revoked, backup, aGeneration(2)])).toEqual([second])
})

test('LSV-18 a key that had gone and was put back beside its successor is not listed', () => {
  const current = aGeneration(2, { after: first, currentSince: date(2), made: date(1) })
  expect(keysOf([aGeneration(1, { made: date(3) }), current])).toEqual([second])
  expect(keysOf([aGeneration(1, { made: date(3), retiresAt: date(2) }), current])).toEqual([second])
  expect(keysOf([aGeneration(1, { made: date(1), retiresAt: date(3) }), current])).toEqual([first, second])
})

test('LSV-18 a former key that was put back before its end, together with its successor, is listed until then', () => {
  const current = aGeneration(2, { after: first, currentSince: date(1), made: date(2) })
  expect(keysOf([aGeneration(1, { made: date(3), retiresAt: date(4) }), current])).toEqual([first, second])
})

test('LSV-20 while only a key is there that is not used yet, what is listed stays', () => {
  const next = aGeneration(2, { after: first })
  expect(keysOf([next], listing(aGeneration(1), next))).toEqual([second, first])
})

test('LSV-19 a key that is marked as revoked leaves the list also while it cannot be read', () => {
  const both = listing(aGeneration(1), aGeneration(2))
  expect(keysOf([aGeneration(1, { key: unread, revokedAt: date(1) }), aGeneration(2)], both)).toEqual([second])
  expect(keysOf([aGeneration(1, { key: unread }), aGeneration(2)], both)).toEqual([second, first])
})

test('LCA-74 a revoked key that is restored from a backup is not listed, also while the key that remembers it cannot be read', () => {
  const restored = aGeneration(1, { retiresAt: '2999-01-01T00:00:00Z' })
  const current = { after: first, currentSince: date(1), remembers: first }
  expect(keysOf([restored, aGeneration(2, current)])).toEqual([second])
  expect(keysOf([restored, aGeneration(2, { ...current, key: unread })])).toEqual([])
})

test('LCA-74 a revoked key that is remembered leaves a list that a client added it to', () => {
  const both = listing(aGeneration(1), aGeneration(2))
  const current = { after: first, currentSince: date(1), remembers: first }
  expect(keysOf([aGeneration(2, current)], both)).toEqual([second])
  expect(keysOf([aGeneration(2, { ...current, key: unread })], both)).toEqual([second])
  expect(isTakenBack(aMatchedAgent({ secrets: [aGeneration(2, current)] }), first)).toBe(true)
})

test('LSV-21 an agent of another installation, whose keys are never seen here, does not keep a lost list from being made', () => {
  const pods = podsWith({ hash: keysHashOf(listing(aGeneration(1))), revision: 0 })
  const stranger = { name: 'stranger', secrets: [] }
  const wishWith = (isAnothers: boolean) =>
    keyWishOf(aSight({ agents: [aMatchedAgent(), aMatchedAgent({ ...stranger, isAnothers })], workload: pods }))
  expect(wishWith(false).left).toContain('stranger')
  expect(wishWith(true).list?.entries.map(({ agent }) => agent)).toEqual(['biller'])
})
