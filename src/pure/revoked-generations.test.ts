import { describe, expect, test } from 'vitest'
import { ending, key, movesOf, now, over, service, situation, used } from '../../test/kit/key-situations.ts'
import type { Generation } from './generation.ts'
import { courseOf, isListable, type Situation } from './generations.ts'
import type { RevokedKey } from './revoked-keys.ts'

const memoryOf = (...keyIds: readonly string[]): readonly RevokedKey[] =>
  keyIds.map((keyId) => ({ keyId, revokedAt: now - 2, droppedAt: now - 1 }))
const remembering = (number: number, ...keyIds: readonly string[]): Generation =>
  used(number, { revokedKeys: memoryOf(...keyIds) })

const revoked = key(1, { revokedAt: now - 2 })
const dropped = { ...revoked, droppedAt: now - 1 }
/** As a backup from before its revocation has it. */
const restored = key(1, { uid: 'restored' })

describe('LCA-73 the Secret of a revoked key', () => {
  test.each<[what: string, given: Partial<Situation>, moves: readonly string[]]>([
    ['is remembered by the current one first', { generations: [dropped, used(2)] }, ['remember 2']],
    ['is deleted when the current one remembers it', { generations: [dropped, remembering(2, 'k1')] }, ['delete 1']],
    [
      'is deleted also when its deletion was confirmed before a crash',
      { generations: [{ ...dropped, retiresAt: 0, isEnding: true }, remembering(2, 'k1')] },
      ['delete 1'],
    ],
    [
      'is deleted also while the agent still names the key',
      { generations: [dropped, remembering(2, 'k1')], revocations: ['k1'] },
      ['delete 1'],
    ],
    [
      'stays until it is recorded that no pod has the key',
      { generations: [revoked, remembering(2, 'k1')] },
      ['drop 1'],
    ],
    [
      'stays while a pod has the key',
      { generations: [dropped, used(2)], consumers: [service('a', { k1: 'Draining' }, false)] },
      [],
    ],
    [
      'stays while a replica holds the key',
      { generations: [dropped, used(2)], carriers: { of: { k1: ['ns/s'] }, unknown: [] } },
      [],
    ],
    [
      'stays while a replica cannot be read',
      { generations: [dropped, remembering(2, 'k1')], carriers: { of: {}, unknown: ['ns/s'] } },
      [],
    ],
    [
      'stays while its number is above that of the current key',
      { generations: [key(1), key(2, { revokedAt: now, droppedAt: now })] },
      [],
    ],
    ['stays while no key is in use', { generations: [over, used(2, { revokedAt: now, droppedAt: now })] }, ['mint 3']],
    [
      'stays when it is only asked to revoke the key, whatever else is recorded',
      { generations: [key(1, { droppedAt: now }), remembering(2, 'k1')], revocations: ['k1'] },
      ['revoke 1'],
    ],
    [
      'stays until the current one remembers all that it remembers',
      { generations: [{ ...dropped, revokedKeys: memoryOf('k0') }, remembering(2, 'k1')] },
      ['remember 2'],
    ],
  ])('%s', (_, given, moves) => {
    expect(movesOf(given)).toEqual(moves)
  })
})

describe('LCA-73 the memory of revoked keys', () => {
  const revokedKeysIn = (given: Partial<Situation>) =>
    courseOf(situation(given)).moves.flatMap((move) => ('revokedKeys' in move ? [move.revokedKeys] : []))

  test('gets the times of a revocation, and keeps what is remembered', () => {
    const generations = [dropped, key(2, { revokedAt: now - 4, droppedAt: now - 3 }), remembering(3, 'k0')]

    expect(revokedKeysIn({ generations })).toEqual([
      [
        ...memoryOf('k0'),
        { keyId: 'k1', revokedAt: now - 2, droppedAt: now - 1 },
        { keyId: 'k2', revokedAt: now - 4, droppedAt: now - 3 },
      ],
    ])
  })

  test('is given to a new key', () => {
    const generations = [key(1, { ...over, revokedKeys: memoryOf('k0', 'kx') }), remembering(2, 'kx', 'k0')]

    expect(revokedKeysIn({ generations, request: 'may' })).toEqual([memoryOf('kx', 'k0')])
  })

  test('is given to a new key also when no other is left', () => {
    const generations = [used(2, { revokedAt: now, revokedKeys: memoryOf('k1') })]

    expect(revokedKeysIn({ generations })).toEqual([memoryOf('k1')])
  })

  test('moves to the current key before a former one is deleted', () => {
    const former = { ...ending, revokedKeys: memoryOf('k0') }

    expect(movesOf({ generations: [former, used(2)] })).toEqual(['remember 2'])
    expect(movesOf({ generations: [former, remembering(2, 'k0')] })).toEqual(['delete 1'])
  })

  test('that is full loses the oldest key for a new one, and comes to rest', () => {
    const names = Array.from({ length: 100 }, (_, n) => `old-${n}`)

    const [revokedKeys = []] = revokedKeysIn({ generations: [dropped, remembering(2, ...names)] })

    expect(revokedKeys.map(({ keyId }) => keyId)).toEqual([...names.slice(1), 'k1'])
    const former = key(1, { keyId: 'former', retiresAt: now + 1, revokedKeys: memoryOf(...names) })
    expect(movesOf({ generations: [former, used(2, { revokedKeys })] })).toEqual([])
  })

  test('is no reason to take a missing key for given up', () => {
    const former = key(2, { retiresAt: now, lineage: [{ keyId: 'k1' }] })
    const next = key(3, { revokedAt: now, lineage: [{ keyId: 'k1' }, { keyId: 'k2' }] })

    expect(courseOf(situation({ generations: [former], revocations: ['k1'] })).lost).toEqual({ keyId: undefined })
    expect(courseOf(situation({ generations: [next], revocations: ['k1', 'k3'] })).lost).toEqual({ keyId: undefined })
    expect(
      courseOf(situation({ generations: [{ ...over, revokedKeys: memoryOf('kx') }], revocations: ['kx'] })).lost,
    ).toEqual({ keyId: undefined })
  })

  test('gives a missing key up that it names', () => {
    const next = key(2, { revokedKeys: memoryOf('k1') })

    expect(movesOf({ generations: [next] })).toEqual(['promote 2'])
  })
})

describe('LCA-74 a revoked key whose Secret is restored from a backup', () => {
  const current = remembering(2, 'k1')

  test('is revoked again, and is neither current nor next', () => {
    expect(movesOf({ generations: [restored, current] })).toEqual(['revoke 1'])
    expect(courseOf(situation({ generations: [restored, current] })).current).toBe(current)
    const above = used(3, { uid: 'restored' })
    const lower = remembering(2, 'k3')
    expect(movesOf({ generations: [lower, above] })).toEqual(['revoke 3'])
    expect(courseOf(situation({ generations: [lower, above] })).current).toBe(lower)
  })

  test('is not used in place of a current key that is revoked too', () => {
    expect(movesOf({ generations: [restored, current], revocations: ['k2'] })).toEqual([
      'revoke 1',
      'revoke 2',
      'mint 3',
    ])
  })

  test('is not listed, with or without the end that it had', () => {
    expect(isListable(restored, [restored, current])).toBe(false)
    expect(isListable({ ...restored, retiresAt: now + 1000 }, [current])).toBe(false)
    expect(isListable(current, [restored, current])).toBe(true)
  })

  test('is deleted again', () => {
    expect(movesOf({ generations: [{ ...restored, revokedAt: now }, current] })).toEqual(['drop 1'])
    expect(movesOf({ generations: [{ ...restored, revokedAt: now, droppedAt: now }, current] })).toEqual(['delete 1'])
  })
})
