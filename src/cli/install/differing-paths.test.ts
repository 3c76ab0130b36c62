import { expect, test } from 'vitest'
import { differingPaths } from './differing-paths.ts'

test.each<[what: string, one: unknown, other: unknown, paths: readonly string[]]>([
  ['the same', { a: [{ b: 1 }], c: null }, { c: null, a: [{ b: 1 }] }, []],
  ['a changed value', { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1, c: 3 }] }, ['a[0].c']],
  ['a field of one side', { a: { b: 1 } }, { a: { b: 1, c: { d: 2 } } }, ['a.c']],
  ['lists of different length', { a: { list: [1] } }, { a: { list: [1, 2] } }, ['a.list']],
  ['another type', { a: [1] }, { a: { b: 1 } }, ['a']],
  ['several', { a: 1, b: 2, c: 3 }, { a: 2, b: 2 }, ['a', 'c']],
])('%s', (_, one, other, paths) => {
  expect(differingPaths(one, other)).toEqual(paths)
})
