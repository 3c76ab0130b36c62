import { describe, expect, test } from 'vitest'
import { itemFinder, keyFieldsOf, stepFinder } from './list-items.ts'

describe('a step that anybody may have written names no item', () => {
  test.each([
    ['that is not JSON', 'k:not-json'],
    ['that is null', 'k:null'],
    ['that is a text', 'k:"name"'],
    ['with nothing in it', 'k:{}'],
    ['with a list in it', 'k:{"name":["x"]}'],
    ['that is longer than any', `k:{"name":"${'x'.repeat(5000)}"}`],
  ])('%s', (_, step) => {
    expect(keyFieldsOf(step)).toEqual({})
    expect(stepFinder({ [step]: {} })({ name: 'x' })).toBeUndefined()
    expect(itemFinder([{ name: 'x' }])(step)).toBeUndefined()
  })
})

test('an item is found by its step and the other way round, also beside senseless ones', () => {
  const owned = { 'k:{"name":"x"}': {}, 'k:{"name":"y"}': {}, 'k:{"port":1,"protocol":"TCP"}': {}, 'k:{': {}, '.': {} }
  const stepOf = stepFinder(owned)
  expect(stepOf({ name: 'y', value: 1 })).toBe('k:{"name":"y"}')
  expect(stepOf({ port: 1, protocol: 'TCP' })).toBe('k:{"port":1,"protocol":"TCP"}')
  expect(stepOf({ port: 1 })).toBeUndefined()
  expect(stepOf('x')).toBeUndefined()
  const itemOf = itemFinder([{ name: 'x' }, 'y', { name: 'y' }, { name: 'y', value: 2 }])
  expect(itemOf('k:{"name":"y"}')).toEqual({ name: 'y' })
  expect(itemOf('k:{"name":"x"}')).toEqual({ name: 'x' })
  expect(itemOf('k:{"name":"z"}')).toBeUndefined()
})
