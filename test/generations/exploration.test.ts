import { expect, test } from 'vitest'
import { courseOf, isListable } from '../../src/pure/generations.ts'
import { atRest, atRestWithout, nothing, type Scope } from './beginnings.ts'
import { explore } from './explore.ts'
import { bereaved, finishing, waiting } from './settle.ts'
import type { World } from './world.ts'

const protocol = { courseOf, isListable }

const usual = { services: { a: 1, b: 1 }, copies: 1, left: {}, keys: 3, fickle: [], overlap: 1, every: undefined }

const rotations: Scope = { ...usual, left: { requests: 2 } }
const restored: Scope = { ...usual, services: { a: 1 }, left: { requests: 3 }, keys: 4 }
const limited: Scope = { ...restored, mostKeys: 2 }
const noOverlap: Scope = { ...restored, overlap: 0 }
const schedule: Scope = { ...usual, every: 2 }
const replicas: Scope = {
  ...usual,
  services: { a: 2, b: 1 },
  left: { requests: 1, matches: 2 },
  fickle: ['b'],
}
const revocation: Scope = { ...usual, left: { revocations: 1 } }
const firstKey: Scope = { ...usual, copies: 2, left: { requests: 1 }, keys: 2 }
const deletion: Scope = { ...usual, services: { a: 1 }, left: { requests: 2, deletions: 1 } }
const backup: Scope = { ...usual, services: { a: 1 }, left: { revocations: 1, requests: 1, restores: 1 } }
const everything: Scope = {
  ...usual,
  services: { a: 1 },
  left: { requests: 1, revocations: 1, matches: 1 },
  fickle: ['a'],
}

/**
 * Two operators look when they like and write when they like, and die in between; pods start when they like or never; the
 * user does what the scope allows. The floors keep a scope from becoming empty unnoticed.
 */
test.each<[rule: string, scope: Scope, from: readonly World[], floor: number]>([
  ['LCA-53 rotations that are asked for, one during the other', rotations, [atRest(rotations)], 40_000],
  ['LCA-53 rotations by age', schedule, [atRest(schedule)], 40_000],
  [
    'LCA-54 an old request that is put back, and operators that slept through two rotations',
    restored,
    [atRest(restored)],
    25_000,
  ],
  [
    'LCA-56 a former key that is accepted no longer than copies of it are there',
    noOverlap,
    [atRest(noOverlap)],
    20_000,
  ],
  ['LCA-69 rotations that wait for a key to retire', limited, [atRest(limited)], 5000],
  [
    'LCA-58 services that come and go during a rotation',
    replicas,
    [atRest(replicas), atRestWithout('b', replicas)],
    50_000,
  ],
  ['LCA-61 a revocation', revocation, [atRest(revocation)], 50_000],
  ['LCA-74 a revoked key whose Secret is restored from a backup', backup, [atRest(backup)], 150_000],
  ['LCA-1 a first key, and whatever comes then', firstKey, [nothing(firstKey)], 40_000],
  ['LCA-62 rotation, revocation and a service that goes, in any order', everything, [atRest(everything)], 700_000],
])(
  '%s: every promise holds whatever happens when',
  (rule, scope, from, floor) => {
    const rest = { protocol, times: { ...scope, every: undefined } }
    const judges = [finishing(rest), waiting({ ...rest, slow: 'b' })]

    const { states, steps, found } = explore(from, protocol, scope, judges)

    console.log(`${rule}: ${states} states, ${steps} steps`)
    expect(found).toBeUndefined()
    expect(states).toBeGreaterThan(floor)
  },
  300_000,
)

test('LCA-59 a Secret that the user deletes: whatever happens when, a lost key is exchanged for none', () => {
  const { states, steps, found } = explore([atRest(deletion)], protocol, deletion, [
    bereaved({ protocol, times: deletion }),
  ])

  console.log(`LCA-59 deletion: ${states} states, ${steps} steps`)
  expect(found).toBeUndefined()
  expect(states).toBeGreaterThan(34_000)
}, 300_000)
