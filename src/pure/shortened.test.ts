import { expect, test } from 'vitest'
import { countUnlessAll, mostEntries, shortened } from './shortened.ts'

const numbers = Array.from({ length: 250 }, (_, n) => n)

test('a list of 100 entries is kept, and one of more begins with the first 100', () => {
  expect(shortened(numbers.slice(0, mostEntries))).toEqual(numbers.slice(0, mostEntries))
  expect(shortened(numbers)).toEqual(numbers.slice(0, mostEntries))
})

test('entries of a lower rank are chosen first, and stay where they were', () => {
  const chosen = shortened(numbers, (n) => (n % 10 === 9 ? 0 : 1))
  expect(chosen).toHaveLength(mostEntries)
  expect(chosen.filter((n) => n % 10 === 9)).toEqual(numbers.filter((n) => n % 10 === 9))
  expect(chosen).toEqual([...chosen].sort((a, b) => a - b))
})

test('there is a count where not all entries are listed', () => {
  expect(countUnlessAll(numbers, shortened(numbers))).toBe(250)
  expect(countUnlessAll(numbers.slice(0, 3), numbers.slice(0, 3))).toBeUndefined()
})
