import { expect, test } from 'vitest'
import { amountOf } from './quantity.ts'

test.each([
  ['5', 5n],
  [1024, 1024n],
  ['1Ki', 1024n],
  ['1.5Gi', 1_610_612_736n],
  ['2Ei', 2_305_843_009_213_693_952n],
  ['1k', 1000n],
  ['12E', 12_000_000_000_000_000_000n],
  ['1e3', 1000n],
  ['1E-1', 1n],
  ['1500m', 2n],
  ['.5', 1n],
  ['+3.', 3n],
  ['-2k', -2000n],
])('the quantity %s is %s', (quantity, amount) => {
  expect(amountOf(quantity)).toBe(amount)
})

test('a quantity has at most 64 characters', () => {
  expect(amountOf('1'.repeat(64))).toBe(BigInt('1'.repeat(64)))
  expect(amountOf('1'.repeat(65))).toBeUndefined()
})

test.each(['', '.', 'Gi', '1Xi', '1 Gi', '1e1.5', '1e999999999', '1e-999999999'])(
  'the quantity %s is none that we could count',
  (quantity) => {
    expect(amountOf(quantity)).toBeUndefined()
  },
)
