import { describe, expect, test } from 'vitest'
import { excessOf, parseLimited } from './limits.ts'

const limits = { size: 1024, depth: 4 }
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

describe('a value exceeds the limits', () => {
  test.each<[why: string, value: unknown, excess: string | undefined]>([
    ['not when it is small', { a: [1, 'x', null, true] }, undefined],
    ['not at the last level', nested(4), undefined],
    ['below the last level', nested(5), 'it is nested deeper than 4 levels'],
    ['with any depth', nested(100_000), 'it is nested deeper than 4 levels'],
    ['with a long text', 'x'.repeat(2000), 'it is larger than 1 KiB'],
    ['with a long key', { ['x'.repeat(2000)]: 1 }, 'it is larger than 1 KiB'],
    ['with many values', Array.from({ length: 2000 }, () => 0), 'it is larger than 1 KiB'],
  ])('%s', (_, value, excess) => {
    expect(excessOf(value, limits)).toBe(excess)
  })
})

describe('a text of JSON', () => {
  test.each([['{"a":{"b":":"},"c":["d:\\":"]}'], ['{"__proto__":1,"constructor":2}'], ['"a:b"'], ['{ "a" : 1 }']])(
    '%s is taken for what it says',
    (text) => {
      expect(parseLimited(text, limits)).toEqual({ known: JSON.parse(text) as unknown })
    },
  )

  test.each([
    ['{', 'it is not JSON'],
    ['{"a":1,"a":2}', 'it names a key twice'],
    ['[{"a":{"b":1,"c":2,"b":3}}]', 'it names a key twice'],
    ['{"__proto__":1,"__proto__":2}', 'it names a key twice'],
    [`${'['.repeat(500)}${']'.repeat(500)}`, 'it is nested deeper than 4 levels'],
    [`"${'x'.repeat(2000)}"`, 'it is larger than 1 KiB'],
  ])('%.40s is not taken: %s', (text, why) => {
    expect(parseLimited(text, limits)).toEqual({ unknown: why })
  })
})
