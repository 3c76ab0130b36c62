import { expect, test } from 'vitest'
import { amountOf, canonicalQuantity } from './quantity.ts'

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

test.each([
  ['1Gi', '1Gi'],
  ['1024Mi', '1Gi'],
  ['0.5Gi', '512Mi'],
  ['1.5Gi', '1536Mi'],
  ['1500Mi', '1500Mi'],
  ['512Ki', '512Ki'],
  ['0.5Ki', '512'],
  ['1.0001Ki', '1024102400u'],
  ['1048576', '1048576'],
  [1_000_000, '1M'],
  [64_000, '64k'],
  [4096, '4096'],
  ['1500k', '1500k'],
  ['1000k', '1M'],
  ['1.5M', '1500k'],
  ['1500m', '1500m'],
  ['2000m', '2'],
  ['0.1', '100m'],
  ['1e3', '1e3'],
  ['1000e0', '1e3'],
  ['5e0', '5'],
  ['-2048Ki', '-2Mi'],
  ['+3.', '3'],
  ['007', '7'],
  ['0', '0'],
  ['0Gi', '0'],
  ['nonsense', 'nonsense'],
])('the quantity %s is printed as %s', (quantity, printed) => {
  expect(canonicalQuantity(quantity)).toBe(printed)
})
