import { expect, test } from 'vitest'
import { printAge } from './age.ts'
import { minutes, seconds } from './duration.ts'

test.each([
  [seconds(-3), '0s'],
  [seconds(0.9), '0s'],
  [seconds(59), '59s'],
  [seconds(60), '1m'],
  [minutes(59.9), '59m'],
  [minutes(60), '1h'],
  [minutes(24 * 60 - 1), '23h'],
  [minutes(24 * 60 * 400), '400d'],
])('an age of %d ms is %s', (age, printed) => {
  expect(printAge(age)).toBe(printed)
})
