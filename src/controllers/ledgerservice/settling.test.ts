import { expect, test } from 'vitest'
import { Settling } from './settling.ts'

test('LSV-24 a list is written when it has been wanted for five seconds', () => {
  const settling = new Settling()
  expect(settling.settlesAt('a/books', 'one', 1000)).toBe(6000)
  expect(settling.settlesAt('a/books', 'one', 5999)).toBe(6000)
  expect(settling.settlesAt('a/books', 'one', 6000)).toBeUndefined()
})

test('LSV-24 the wait begins anew with every change, and each service waits for itself', () => {
  const settling = new Settling()
  settling.settlesAt('a/books', 'one', 0)
  settling.settlesAt('b/books', 'one', 3000)
  expect(settling.settlesAt('a/books', 'two', 4000)).toBe(9000)
  expect(settling.settlesAt('b/books', 'one', 4000)).toBe(8000)
})

test('LSV-24 what was forgotten waits anew', () => {
  const settling = new Settling()
  settling.settlesAt('a/books', 'one', 0)
  settling.forget('a/books')
  expect(settling.settlesAt('a/books', 'one', 6000)).toBe(11_000)
})
