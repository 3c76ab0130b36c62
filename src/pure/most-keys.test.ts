import { describe, expect, test } from 'vitest'
import { key, movesOf, now, service, situation, used } from '../../test/kit/key-situations.ts'
import { courseOf, type Situation } from './generations.ts'

/** The former keys of the one in use, all of them accepted. */
const retiring = (count: number) => Array.from({ length: count }, (_, n) => key(n + 1, { retiresAt: now + 1000 + n }))
const eight = [...retiring(7), used(8)]
const seven = [...retiring(6), used(7)]

describe('LCA-69 an agent with 8 keys that are accepted', () => {
  test.each<[what: string, given: Partial<Situation>, moves: readonly string[]]>([
    ['gets no other because of a request', { generations: eight, request: 'may' }, []],
    ['gets no other because of its age', { generations: eight, every: 10 }, []],
    ['gets another when it has 7', { generations: seven, request: 'may' }, ['mint 8']],
    [
      'gets another when one of them is revoked',
      { generations: [key(1, { revokedAt: now - 1 }), ...eight.slice(1)], request: 'may' },
      ['drop 1', 'mint 9'],
    ],
    [
      'gets another when one of them ends',
      {
        generations: [key(1, { retiresAt: now - 1, isEnding: true }), ...eight.slice(1)],
        request: 'may',
        consumers: [service('a', { k1: 'Draining' })],
      },
      ['mint 9'],
    ],
    [
      'gets another when the one in use is revoked',
      { generations: [...retiring(8), used(9, { revokedAt: now - 1 })] },
      ['drop 9', 'mint 10'],
    ],
    [
      'ends those that are over',
      { generations: [key(1, { retiresAt: now }), ...eight.slice(1)], request: 'may' },
      ['end 1'],
    ],
  ])('%s', (_, given, moves) => {
    expect(movesOf(given)).toEqual(moves)
  })

  test('says that it waits, and looks again when the first of them retires', () => {
    const course = courseOf(situation({ generations: eight, request: 'may' }))
    expect(course.waits).toContainEqual({ for: 'retirement', keyId: 'k8', count: 8 })
    expect(course.nextAt).toBe(now + 1000)
  })

  test('waits for nothing when no rotation is due', () => {
    expect(courseOf(situation({ generations: eight })).waits.map((wait) => wait.for)).not.toContain('retirement')
  })
})
