import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprint, fingerprintOfJson } from './fingerprint.ts'

test('a fingerprint is a SHA-256 in hex', () => {
  expect(fingerprint('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(fingerprint(Buffer.from('abc'))).toBe(fingerprint('abc'))
})

test('the order of keys does not matter, and a missing key is the same as an undefined one', () => {
  expect(fingerprintOfJson({ b: [1, { d: null, c: 2 }], a: 'x' })).toBe(
    fingerprintOfJson({ a: 'x', z: undefined, b: [1, { c: 2, d: null }] }),
  )
})

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

test('a value has one fingerprint, however its keys are ordered', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => fingerprintOfJson(reversed(value)) === fingerprintOfJson(value)))
})

test('the order of a list matters', () => {
  expect(fingerprintOfJson([1, 2])).not.toBe(fingerprintOfJson([2, 1]))
})

test('values that differ have fingerprints that differ', () => {
  const same = (value: unknown) => JSON.stringify(value)
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      fc.pre(same(a) !== same(b) && same(reversed(a)) !== same(b) && typeof a !== typeof b)
      expect(fingerprintOfJson(a)).not.toBe(fingerprintOfJson(b))
    }),
  )
})
