import { describe, expect, test } from 'vitest'
import { type Generation, requestMark } from './generation.ts'
import {
  ending,
  key,
  movesOf,
  now,
  over,
  overlap,
  retiring,
  revoked,
  service,
  situation,
  takenBack,
  used,
} from '../../test/kit/key-situations.ts'
import { courseOf, isListable, type Situation } from './generations.ts'

const served = used(2, { request: requestMark('may') })
const both = [key(1), key(2)]

describe('what comes next with keys:', () => {
  test.each<[rule: string, given: Partial<Situation>, moves: readonly string[]]>([
    ['LCA-1 the first is minted', {}, ['mint 1']],
    ['LCA-5 one that nobody wants exchanged stays', { generations: [key(1)] }, []],
    ['LCA-53 a request asks for the next', { generations: [key(1)], request: 'may' }, ['mint 2']],
    ['LCA-53 a key that is old enough is exchanged', { generations: [key(1)], every: 100 }, ['mint 2']],
    ['LCA-53 a younger one is not', { generations: [key(1)], every: 101 }, []],
    ['LCA-53 it is as old as its use', { generations: [used(2)], every: 51 }, []],
    ['LCA-53 and is exchanged by that', { generations: [used(2)], every: 50 }, ['mint 3']],
    ['LCA-54 a request that a key serves is served', { generations: [key(1), served], request: 'may' }, ['retire 1']],
    [
      'LCA-54 also when that key is gone',
      { generations: [used(3, { lineage: [{ keyId: 'k2', request: requestMark('may') }] })], request: 'may' },
      [],
    ],
    [
      'LCA-54 a second request waits for the first rotation',
      { generations: both, request: 'june', consumers: [service('a', {})] },
      [],
    ],
    [
      'LCA-55 the next is used when it is loaded',
      { generations: both, consumers: [service('a', { k2: 'Loaded' })] },
      ['promote 2'],
    ],
    ['LCA-55 and not when it is listed', { generations: both, consumers: [service('a', { k2: 'Published' })] }, []],
    ['LCA-56 the former one retires when that is written down', { generations: [key(1), used(2)] }, ['retire 1']],
    ['LCA-56 a key retires until its end', { generations: [retiring, used(2)] }, []],
    ['LCA-56 then it ends', { generations: [over, used(2)] }, ['end 1']],
    [
      'LCA-56 but not while a copy is there',
      { generations: [over, used(2)], carriers: { of: { k1: ['ns/s'] }, unknown: [] } },
      [],
    ],
    ['LCA-56 nor while one may be', { generations: [over, used(2)], carriers: { of: {}, unknown: ['ns/s'] } }, []],
    ['LCA-56 nor when its end cannot be read', { generations: [key(1, { retiresAt: Infinity }), used(2)] }, []],
    [
      'LCA-56 it is deleted when no pod has it',
      { generations: [ending, used(2)], consumers: [service('a', { k2: 'Loaded' })] },
      ['delete 1'],
    ],
    [
      'LCA-56 and not before, whoever has it',
      { generations: [ending, used(2)], consumers: [service('a', { k1: 'Draining' }, false)] },
      [],
    ],
    [
      'LCA-56 nor before it is written down what is used instead',
      { generations: [ending, takenBack, key(3)] },
      ['promote 3'],
    ],
    [
      'LCA-58 who is not matched is not waited for',
      { generations: both, consumers: [service('a', {}, false)] },
      ['promote 2'],
    ],
    [
      'LCA-58 one who is new is',
      { generations: both, consumers: [service('a', { k2: 'Loaded' }), service('b', {})] },
      [],
    ],
    [
      'LCA-61 the current key is revoked and another made',
      { generations: [key(1)], revocations: ['k1'] },
      ['revoke 1', 'mint 2'],
    ],
    [
      'LCA-61 the next takes its place at once',
      { generations: both, revocations: ['k1'], consumers: [service('a', {})] },
      ['revoke 1', 'promote 2'],
    ],
    [
      'LCA-61 a former one is revoked before its end',
      { generations: [retiring, used(2)], revocations: ['k1'] },
      ['revoke 1'],
    ],
    [
      'LCA-61 the next one is revoked, and the current one stays',
      { generations: both, revocations: ['k2'] },
      ['revoke 2'],
    ],
    [
      'LCA-61 when one that has a former key is revoked, another is made',
      { generations: [over, used(2)], revocations: ['k2'] },
      ['revoke 2', 'mint 3'],
    ],
    [
      'LCA-61 and then the former key stands again until that is loaded',
      { generations: [over, takenBack, key(3)], consumers: [service('a', { k3: 'Published' })] },
      ['promote 1'],
    ],
    ['LCA-61 also when it is loaded already', { generations: [over, takenBack, key(3)] }, ['promote 1']],
    [
      'LCA-61 the newest of several that retire',
      { generations: [over, used(2, { retiresAt: now }), used(3, { revokedAt: now }), key(4)] },
      ['drop 3', 'promote 2', 'end 1'],
    ],
    ['LCA-62 a key is revoked once', { generations: [revoked, used(2)], revocations: ['k1'] }, ['drop 1']],
    ['LCA-64 a key that is not there is not revoked', { generations: [key(1)], revocations: ['k9'] }, []],
  ])('%s', (_, given, moves) => {
    expect(movesOf(given)).toEqual(moves)
  })
})

test.each<[what: string, generations: readonly Generation[], number: number | undefined]>([
  ['the newest in use', [key(4), used(3), used(2), retiring], 3],
  ['not the next', both, 1],
  ['what stands, where all before it were revoked', [revoked, key(3), key(2)], 2],
  ['none that retires, until it is written down that it stands again', [retiring, takenBack, key(3)], undefined],
  ['one that stands again', [used(1), takenBack, key(3)], 1],
  ['none when all are revoked', [revoked], undefined],
])('LCA-55 the key to sign with is %s', (_, generations, number) => {
  expect(courseOf(situation({ generations })).current?.number).toBe(number)
})

test('LCA-56 a key that retires is accepted for the overlap from then on', () => {
  expect(courseOf(situation({ generations: [key(1), used(2)] })).moves).toEqual([
    { is: 'retire', generation: key(1), at: now + overlap },
  ])
})

test('LCA-54 a new key tells which keys came before it, and why', () => {
  const before = { keyId: 'k1', request: undefined }
  const generations = [{ ...served, lineage: [before] }]

  expect(courseOf(situation({ generations, request: 'june', revocations: ['k0', 'k1'] })).moves).toEqual([
    {
      is: 'mint',
      number: 3,
      lineage: [{ keyId: 'k0' }, before, { keyId: 'k2', request: requestMark('may') }],
      request: 'june',
      isCurrent: false,
      revokedKeys: [],
    },
  ])
})

test.each<[what: string, generations: readonly Generation[], isCurrent: boolean]>([
  ['the first', [], true],
  ['one that is made when all others were revoked', [revoked], true],
  ['not while a former one can take the place of a revoked one', [retiring, takenBack], false],
])('LCA-61 a new key is used from the beginning: %s', (_, generations, isCurrent) => {
  expect(courseOf(situation({ generations })).moves.at(-1)).toMatchObject({ is: 'mint', isCurrent })
})

test('LCA-57 what is waited for is named', () => {
  const consumers = [
    service('a', { k2: 'Loaded', k0: 'Draining' }),
    service('b', { k2: 'Published' }),
    service('c', {}),
  ]
  const generations = [key(0, { isEnding: true }), used(1), key(2)]

  expect(courseOf(situation({ generations, consumers })).waits).toEqual([
    { for: 'loading', keyId: 'k2', consumers: ['b', 'c'] },
    { for: 'draining', keyId: 'k0', consumers: ['a'] },
  ])
  const carriers = { of: { k1: ['x/s'] }, unknown: ['y/s'] }
  expect(courseOf(situation({ generations: [retiring, used(2)], carriers })).waits).toEqual([
    { for: 'end', keyId: 'k1', at: now + 1 },
    { for: 'carriers', keyId: 'k1', places: ['x/s', 'y/s'] },
  ])
})

test('LCA-57 however long it takes, a service that does not finish is waited for', () => {
  const consumers = [service('a', { k1: 'Loaded', k2: 'Published' })]
  const years = 1e12

  const { current, moves } = courseOf(situation({ generations: both, consumers, now: now + years }))

  expect([current?.number, moves]).toEqual([1, []])
})

test('LCA-63 of a revoked key it is told who still has it', () => {
  const consumers = [service('a', { k1: 'Draining' }, false), service('b', { k2: 'Loaded' })]

  expect(courseOf(situation({ generations: [revoked, used(2)], consumers })).waits).toEqual([
    { for: 'draining', keyId: 'k1', consumers: ['a'] },
  ])
})

test.each<[what: string, given: Partial<Situation>, at: number | undefined]>([
  ['never when nothing is ahead', { generations: [key(1)] }, undefined],
  ['when the key is old enough', { generations: [key(1)], every: 300 }, now + 200],
  ['not for an age that has passed', { generations: both, every: 50 }, undefined],
  ['when it has been in use for so long', { generations: [used(2)], every: 300 }, now + 250],
  ['at the end of a former key', { generations: [retiring, used(2)] }, now + 1],
  ['at what comes first', { generations: [retiring, used(2)], every: 300 }, now + 1],
  ['never for an end that cannot be read', { generations: [key(1, { retiresAt: Infinity }), used(2)] }, undefined],
])('LCA-53 it is looked again %s', (_, given, at) => {
  expect(courseOf(situation(given)).nextAt).toBe(at)
})

test.each<[what: string, generation: Generation, isListed: boolean]>([
  ['LCA-55 the next', key(2), true],
  ['LCA-56 a former one', over, true],
  ['LCA-56 one that ends', ending, false],
  ['LCA-62 a revoked one', revoked, false],
])('%s is listed: %s', (_, generation, isListed) => {
  expect(isListable(generation, [])).toBe(isListed)
})
