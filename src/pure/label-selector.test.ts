import { expect, test } from 'vitest'
import { isEmptySelector, type LabelSelector, matcherOf } from './label-selector.ts'

const matches = (selector: LabelSelector, labels: Record<string, string>): boolean => {
  const matcher = matcherOf(selector)
  if ('fault' in matcher) throw new Error(matcher.fault)
  return matcher.matches(labels)
}
const expression = (key: string, operator: string, ...values: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
})

test('an empty selector selects everything', () => {
  expect(matches({}, {})).toBe(true)
  expect(matches({ matchLabels: {}, matchExpressions: [] }, { a: 'b' })).toBe(true)
  expect(isEmptySelector({ matchLabels: {} })).toBe(true)
  expect(isEmptySelector(expression('a', 'Exists'))).toBe(false)
  expect(isEmptySelector({ matchLabels: { a: 'b' } })).toBe(false)
})

test.each<[LabelSelector, Record<string, string>, boolean]>([
  [{ matchLabels: { env: 'production' } }, { env: 'production', tier: 'one' }, true],
  [{ matchLabels: { env: 'production' } }, { env: 'test' }, false],
  [{ matchLabels: { env: 'production' } }, {}, false],
  [{ matchLabels: { env: '' } }, { env: '' }, true],
  [{ matchLabels: { env: '' } }, {}, false],
  [{ matchLabels: { 'example.com/env': 'a', tier: 'b' } }, { 'example.com/env': 'a', tier: 'b' }, true],
  [{ matchLabels: { 'example.com/env': 'a', tier: 'b' } }, { 'example.com/env': 'a' }, false],
  [expression('env', 'In', 'a', 'b'), { env: 'b' }, true],
  [expression('env', 'In', 'a', 'b'), { env: 'c' }, false],
  [expression('env', 'In', 'a'), {}, false],
  [expression('env', 'NotIn', 'a'), { env: 'a' }, false],
  [expression('env', 'NotIn', 'a'), { env: 'b' }, true],
  [expression('env', 'NotIn', 'a'), {}, true],
  [expression('env', 'Exists'), { env: '' }, true],
  [expression('env', 'Exists'), {}, false],
  [expression('env', 'DoesNotExist'), {}, true],
  [expression('env', 'DoesNotExist'), { env: 'a' }, false],
  [expression('constructor', 'Exists'), {}, false],
  [expression('constructor', 'DoesNotExist'), {}, true],
  [expression('constructor', 'Exists'), { constructor: '' }, true],
  [{ matchLabels: { a: '1' }, ...expression('b', 'Exists') }, { a: '1' }, false],
  [{ matchLabels: { a: '1' }, ...expression('b', 'Exists') }, { a: '1', b: '2' }, true],
])('%j of %j: %s', (selector, labels, expected) => {
  expect(matches(selector, labels)).toBe(expected)
})

test.each<[LabelSelector, string]>([
  [expression('env', 'Like', 'a'), '"Like" is not an operator: In, NotIn, Exists and DoesNotExist are'],
  [expression('env', 'In'), 'In needs values (label env)'],
  [expression('env', 'NotIn'), 'NotIn needs values (label env)'],
  [expression('env', 'Exists', 'a'), 'Exists takes no values (label env)'],
  [expression('env', 'DoesNotExist', 'a'), 'DoesNotExist takes no values (label env)'],
  [expression('', 'Exists'), '"" is not a label\'s name'],
  [expression('a/b/c', 'Exists'), '"a/b/c" is not a label\'s name'],
  [expression('Example.com/a', 'Exists'), '"Example.com/a" is not a label\'s name'],
  [{ matchLabels: { 'a b': 'c' } }, '"a b" is not a label\'s name'],
  [{ matchLabels: { a: 'b c' } }, '"b c" is not a label\'s value (label a)'],
  [{ matchLabels: { a: 'x'.repeat(64) } }, `"${'x'.repeat(64)}" is not a label's value (label a)`],
])('%j means nothing: %s', (selector, fault) => {
  expect(matcherOf(selector)).toEqual({ fault })
})
