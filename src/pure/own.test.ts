import { expect, test } from 'vitest'
import { getOwn } from './own.ts'

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

test.each(inherited)('%s is not in a record that does not have it', (key) => {
  expect(getOwn({}, key)).toBeUndefined()
  expect(getOwn(undefined, key)).toBeUndefined()
})

test.each(inherited)('%s is in a record that has it', (key) => {
  expect(getOwn(JSON.parse(`{"${key}":"a"}`) as Record<string, string>, key)).toBe('a')
})
