import { describe, expect, test } from 'vitest'
import { ending, key, movesOf, now, over, service, situation, takenBack, used } from '../../test/kit/key-situations.ts'
import { courseOf, type Situation } from './generations.ts'

describe('LCA-54 a key that was made too late, under a number that had become free again,', () => {
  const late = { ...key(2), keyId: 'late' }

  test('is not used, and goes', () => {
    const consumers = [service('a', { late: 'Loaded', k3: 'Loaded' })]

    expect(courseOf(situation({ generations: [late, used(3)], consumers })).current?.number).toBe(3)
    expect(movesOf({ generations: [late, used(3)], consumers })).toEqual(['retire 2'])
    expect(movesOf({ generations: [{ ...late, retiresAt: now }, used(3)], consumers })).toEqual(['end 2'])
    expect(movesOf({ generations: [{ ...late, isEnding: true }, used(3)] })).toEqual(['delete 2'])
  })

  test('does not hold up the next rotation', () => {
    expect(movesOf({ generations: [late, used(3)], request: 'june' })).toEqual(['retire 2', 'mint 4'])
    expect(movesOf({ generations: [late, used(3), key(4)] })).toEqual(['promote 4', 'retire 2'])
  })
})

describe('LCA-59 a key in use that is not there', () => {
  type Lost = readonly [what: string, given: Partial<Situation>, lost: ReturnType<typeof courseOf>['lost']]
  const given: readonly Lost[] = [
    ['is lost when only the next is left', { generations: [key(2)] }, { keyId: 'k1' }],
    ['is lost when only former ones are left', { generations: [over] }, { keyId: undefined }],
    ['is lost when the former one ends', { generations: [ending] }, { keyId: undefined }],
    ['is lost also beside one that was made too late', { generations: [ending, key(2)] }, { keyId: undefined }],
    ['is lost also beside the next', { generations: [over, key(3)] }, { keyId: undefined }],
    ['is lost whatever else was revoked', { generations: [key(2)], revocations: ['k9'] }, { keyId: 'k1' }],
    [
      'is lost when only a next one is left that was revoked',
      { generations: [key(2, { revokedAt: now })] },
      { keyId: undefined },
    ],
    [
      'is lost when it stood again for one that was revoked',
      { generations: [takenBack, key(3, { lineage: [{ keyId: 'k2' }, { keyId: 'k1' }] })] },
      { keyId: 'k1' },
    ],
  ]
  test.each(given)('%s', (_, situated, lost) => {
    const course = courseOf(situation({ ...situated, request: 'may', every: 1 }))

    expect([course.lost, course.current, course.moves]).toEqual([lost, undefined, []])
  })

  test('is no reason not to revoke others', () => {
    expect(movesOf({ generations: [over, key(3)], revocations: ['k3'] })).toEqual(['revoke 3'])
    expect(movesOf({ generations: [over, used(2, { retiresAt: now })], revocations: ['k1'] })).toEqual(['revoke 1'])
  })

  test.each<[what: string, given: Partial<Situation>, moves: readonly string[]]>([
    ['the next takes its place', { generations: [key(2)], revocations: ['k1'] }, ['promote 2']],
    ['another is made when all others end', { generations: [ending], revocations: ['k2'] }, ['mint 2']],
    [
      'another is made when the next was revoked too',
      { generations: [key(2, { revokedAt: now })], revocations: ['k1'] },
      ['drop 2', 'mint 3'],
    ],
    ['another is made', { generations: [over], revocations: ['k2'] }, ['mint 2']],
    ['and the former one stands again', { generations: [over, key(2)], revocations: ['k9'] }, ['promote 1']],
  ])('is given up by who revokes it: %s', (_, situated, moves) => {
    expect(courseOf(situation(situated)).lost).toBeUndefined()
    expect(movesOf(situated)).toEqual(moves)
  })
})
