import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOlder } from './resource-version.ts'

test.for([
  ['9', '10', true],
  ['10', '9', false],
  ['10', '10', false],
  ['99999999999999999998', '99999999999999999999', true],
] as const)('version %s against %s', ([a, b, expected]) => {
  expect(isOlder(a, b)).toBe(expected)
})

test('versions compare as the numbers that they are, however long', () => {
  const version = fc.bigInt({ min: 0n, max: 2n ** 200n })
  fc.assert(fc.property(version, version, (a, b) => isOlder(String(a), String(b)) === a < b))
})
