import { describe, expect, test } from 'vitest'
import { type Ancestor, inOrder, isStanding, rolesAmong } from '../../src/pure/generation.ts'
import { courseOf, isListable, type Situation } from '../../src/pure/generations.ts'
import { atRest, type Scope } from './beginnings.ts'
import { explore, type Found } from './explore.ts'
import type { Promised } from './invariants.ts'
import type { Protocol } from './look.ts'
import { finishing, waiting } from './settle.ts'

const rotation: Scope = {
  services: { a: 1, b: 1 },
  copies: 1,
  left: { requests: 1 },
  keys: 3,
  fickle: [],
  overlap: 1,
  every: undefined,
}
const long: Scope = { ...rotation, services: { a: 1 }, left: { requests: 3 }, keys: 4 }
const revocation: Scope = { ...rotation, services: { a: 1 }, left: { revocations: 1 } }
const rotationAfter: Scope = { ...revocation, left: { revocations: 1, requests: 1 } }
const backup: Scope = { ...revocation, left: { revocations: 1, restores: 1 } }

type Flaw = (situation: Situation) => Situation

const waitsForNobody: Flaw = (situation) => ({
  ...situation,
  consumers: situation.consumers.map((consumer) => ({ ...consumer, isServed: false })),
})
const forgetsCopies: Flaw = (situation) => ({ ...situation, carriers: { of: {}, unknown: [] } })
const isAheadOfTime: Flaw = (situation) => ({
  ...situation,
  generations: situation.generations.map((one) => ({
    ...one,
    retiresAt: one.retiresAt === undefined ? undefined : situation.now,
  })),
})
const withoutRequests = (ancestors: readonly Ancestor[]) => ancestors.map(({ keyId }) => ({ keyId }))
const forgetsRequests: Flaw = (situation) => ({
  ...situation,
  generations: situation.generations.map((one) => ({
    ...one,
    request: undefined,
    lineage: withoutRequests(one.lineage),
  })),
})
const forgetsAncestors: Flaw = (situation) => ({
  ...situation,
  generations: situation.generations.map((one) => ({ ...one, lineage: withoutRequests(one.lineage) })),
})
/** A key that was revoked, and what came into use in its place. */
const forgetsRevocations: Flaw = (situation) => ({
  ...situation,
  generations: situation.generations.map((one) => ({ ...one, revokedAt: undefined, currentSince: undefined })),
})
const neverEnds: Flaw = (situation) => ({ ...situation, carriers: { ...situation.carriers, unknown: ['somewhere'] } })

/** As if every generation remembered each revoked key. */
const deletesUnremembered: Flaw = (situation) => {
  const revoked = situation.generations.filter(({ revokedAt }) => revokedAt !== undefined)
  const revokedKeys = revoked.map(({ keyId, revokedAt, droppedAt }) => ({ keyId, revokedAt, droppedAt }))
  return { ...situation, generations: situation.generations.map((one) => ({ ...one, revokedKeys })) }
}

const flawedBy = (flaw: Flaw): Protocol => ({ courseOf: (situation) => courseOf(flaw(situation)), isListable })
const usesWhatStandsLowest: Protocol = {
  courseOf: (situation) => ({
    ...courseOf(situation),
    current: inOrder(situation.generations).find(isStanding),
  }),
  isListable,
}
/** A new key is generated without the memory of the current one, which retires with it. */
const forgetsMemory: Protocol = {
  courseOf: (situation) => {
    const { current } = rolesAmong(situation.generations)
    const generations = situation.generations.map((one) =>
      one.number === current?.number ? one : { ...one, revokedKeys: [] },
    )
    const course = courseOf({ ...situation, generations })
    const moves = course.moves.map((move) => (move.is === 'mint' ? { ...move, revokedKeys: [] } : move))
    return { ...course, moves }
  },
  isListable,
}
const listsRestored: Protocol = { courseOf, isListable: (one) => isListable(one, []) }
const listsRevoked: Protocol = { courseOf, isListable: ({ isEnding }) => !isEnding }

/** How it came to what, for people to follow. */
const told = (rule: string, found: Found | undefined): string =>
  [rule, ...(found?.trace ?? []), found?.breach.how].join('\n  ')

describe('a protocol with a flaw is found out:', () => {
  test.each<[rule: string, flawed: Protocol, scope: Scope, promise: Promised]>([
    ['LCA-55 it uses a key before services have it', flawedBy(waitsForNobody), rotation, 'used only when trusted'],
    ['LCA-56 it ends a key while a copy is there', flawedBy(forgetsCopies), rotation, 'accepted until its end'],
    ['LCA-56 it ends a key before its time', flawedBy(isAheadOfTime), rotation, 'accepted until its end'],
    ['LCA-54 it forgets served requests', flawedBy(forgetsRequests), rotation, 'minted only when asked for'],
    [
      'LCA-54 it forgets requests of keys that are gone',
      flawedBy(forgetsAncestors),
      long,
      'minted only when asked for',
    ],
    ['LCA-54 it uses a number that is free again', usesWhatStandsLowest, long, 'minted only when asked for'],
    ['LCA-62 it hands a revoked key out again', flawedBy(forgetsRevocations), revocation, 'revoked for good'],
    ['LCA-62 it lists a revoked key again', listsRevoked, revocation, 'revoked for good'],
    [
      'LCA-73 it deletes a revoked key that no other remembers',
      flawedBy(deletesUnremembered),
      revocation,
      'revocation is remembered',
    ],
    ['LCA-73 it forgets revoked keys in a rotation', forgetsMemory, rotationAfter, 'revocation is remembered'],
    ['LCA-74 it lists a revoked key that is restored', listsRestored, backup, 'revoked for good'],
  ])('%s', (rule, flawed, scope, promise) => {
    const { found } = explore([atRest(scope)], flawed, scope)

    console.log(told(rule, found))
    expect(found?.breach.promise).toBe(promise)
  })

  test('LCA-56 it never lets a former key go', () => {
    const protocol = flawedBy(neverEnds)

    const { found } = explore([atRest(rotation)], protocol, rotation, [finishing({ protocol, times: rotation })])

    console.log(told('it never lets a former key go', found))
    expect(found?.breach).toEqual({ promise: 'comes to its end', how: 'a former key, or a next one, stays' })
  })

  test('LCA-57 it does not wait for who is slow', () => {
    const protocol = flawedBy(waitsForNobody)

    const { found } = explore([atRest(rotation)], protocol, rotation, [
      waiting({ protocol, times: rotation, slow: 'b' }),
    ])

    console.log(told('it does not wait for who is slow', found))
    expect(found?.breach.promise).toBe('not by time alone')
  })
})
