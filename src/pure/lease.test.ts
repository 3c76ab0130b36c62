import { expect, test } from 'vitest'
import { seconds } from './duration.ts'
import { claimed, isFree, type LeaseObject, type LeaseSpec, released, sight, whoHolds } from './lease.ts'

const us = { identity: 'us', duration: seconds(15) }
const now = Date.UTC(2026, 10, 15, 12, 30, 15, 123)

const theirs: LeaseSpec = {
  holderIdentity: 'them',
  leaseDurationSeconds: 40,
  acquireTime: '2026-11-15T12:00:00.000000Z',
  renewTime: '2026-11-15T12:30:00.000000Z',
  leaseTransitions: 3,
}

const aLease = (spec?: LeaseSpec, resourceVersion = '1', uid = 'uid'): LeaseObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'a', name: 'n', uid, resourceVersion },
  ...(spec === undefined ? {} : { spec }),
})

const without = (field: keyof LeaseSpec): LeaseSpec => {
  const { [field]: _, ...rest } = theirs
  return rest
}

test.for<{ name: string; spec: LeaseSpec | undefined; is: ReturnType<typeof whoHolds> }>([
  { name: 'with another holder is held for as long as it says', spec: theirs, is: held('them', 40) },
  { name: 'with our identity is ours', spec: { ...theirs, holderIdentity: 'us' }, is: { is: 'ours' } },
  { name: 'of ours without a time is ours', spec: { holderIdentity: 'us' }, is: { is: 'ours' } },
  { name: 'with an empty holder is released', spec: { ...theirs, holderIdentity: '' }, is: { is: 'released' } },
  { name: 'without a holder is held for as long as ours', spec: without('holderIdentity'), is: held(undefined, 15) },
  { name: 'without a renewal is held for as long as ours', spec: without('renewTime'), is: held('them', 15) },
  { name: 'with no readable renewal too', spec: { ...theirs, renewTime: 'yesterday' }, is: held('them', 15) },
  { name: 'without a duration too', spec: without('leaseDurationSeconds'), is: held('them', 15) },
  { name: 'with a negative duration too', spec: { ...theirs, leaseDurationSeconds: -1 }, is: held('them', 15) },
  { name: 'with nothing in it too', spec: undefined, is: held(undefined, 15) },
])('a Lease $name', ({ spec, is }) => {
  expect(whoHolds(aLease(spec), us)).toEqual(is)
})

function held(by: string | undefined, duration: number) {
  return { is: 'held', by, for: seconds(duration) } as const
}

test('a Lease that is there for the first time is sighted then', () => {
  expect(sight(undefined, aLease(theirs), 7)).toEqual({ lease: aLease(theirs), since: 7, isGone: false })
})

test.for([
  { name: 'has not changed', lease: aLease(theirs, '1'), since: 7 },
  { name: 'has a new version', lease: aLease(theirs, '2'), since: 9 },
  { name: 'is another one of that name', lease: aLease(theirs, '1', 'other'), since: 9 },
])('a Lease that $name', ({ lease, since }) => {
  expect(sight(sight(undefined, aLease(theirs), 7), lease, 9)).toEqual({ lease, since, isGone: false })
})

test('a Lease that was deleted is waited out from when it was found gone', () => {
  const gone = sight(sight(undefined, aLease(theirs), 7), undefined, 9)
  expect(gone).toEqual({ lease: aLease(theirs), since: 9, isGone: true })
  expect(sight(gone, undefined, 11)).toEqual(gone)
  expect(isFree(gone, us, 9 + seconds(40) - 1)).toBe(false)
  expect(isFree(gone, us, 9 + seconds(40))).toBe(true)
})

test.for([
  { name: 'released', holderIdentity: '' },
  { name: 'ours', holderIdentity: 'us' },
])('a Lease that was $name before it was deleted is not waited for', ({ holderIdentity }) => {
  expect(isFree(sight(sight(undefined, aLease({ ...theirs, holderIdentity }), 7), undefined, 9), us, 9)).toBe(true)
})

test.for([
  { name: 'that was never there', lease: undefined, after: 0, free: true },
  { name: 'that was released', lease: aLease({ ...theirs, holderIdentity: '' }), after: 0, free: true },
  { name: 'that is our own', lease: aLease({ ...theirs, holderIdentity: 'us' }), after: 0, free: true },
  { name: 'of another, silent for less than it says', lease: aLease(theirs), after: seconds(40) - 1, free: false },
  { name: 'of another, silent for as long as it says', lease: aLease(theirs), after: seconds(40), free: true },
  { name: 'that says nothing, silent for less than ours', lease: aLease(), after: seconds(15) - 1, free: false },
  { name: 'that says nothing, silent for as long as ours', lease: aLease(), after: seconds(15), free: true },
])('a Lease $name: free $free', ({ lease, after, free }) => {
  expect(isFree(sight(undefined, lease, 100), us, 100 + after)).toBe(free)
})

const stamp = '2026-11-15T12:30:15.123000Z'
const fresh = { holderIdentity: 'us', leaseDurationSeconds: 15, acquireTime: stamp, renewTime: stamp }

test.for<{ name: string; lease: LeaseObject | undefined; spec: LeaseSpec }>([
  { name: 'a new Lease', lease: undefined, spec: { ...fresh, leaseTransitions: 0 } },
  { name: 'the Lease of another', lease: aLease(theirs), spec: { ...fresh, leaseTransitions: 4 } },
  {
    name: 'a released Lease',
    lease: aLease({ ...theirs, holderIdentity: '' }),
    spec: { ...fresh, leaseTransitions: 4 },
  },
  { name: 'a Lease with nothing in it', lease: aLease(), spec: { ...fresh, leaseTransitions: 1 } },
  {
    name: 'our own Lease',
    lease: aLease({ ...theirs, holderIdentity: 'us' }),
    spec: { ...fresh, acquireTime: '2026-11-15T12:00:00.000000Z', leaseTransitions: 3 },
  },
])('a claim on $name', ({ lease, spec }) => {
  expect(claimed(lease, us, now)).toEqual(spec)
})

test('a release empties the holder and keeps the rest', () => {
  expect(released(aLease({ ...theirs, holderIdentity: 'us' }), us, now)).toEqual({
    ...theirs,
    holderIdentity: '',
    leaseDurationSeconds: 15,
    renewTime: stamp,
  })
})
