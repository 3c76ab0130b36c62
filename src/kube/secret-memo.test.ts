import { expect, test } from 'vitest'
import type { KubeObject } from '../pure/object.ts'
import { SecretMemo } from './secret-memo.ts'

const aSecret = (resourceVersion: string, seed: string, uid = 'uid-n') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'a', name: 'n', uid, resourceVersion },
  data: { seed },
})

const metadataOf = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ apiVersion, kind, metadata })

/** A memo of how long seeds are, which counts how often it had to look. */
const aMemo = () => {
  const looks: string[] = []
  const memo = new SecretMemo(({ data: { seed = '' } = {} }) => {
    looks.push(seed)
    return seed.length
  })
  return { memo, looks }
}

test('what was seen whole is known of that very version, and of no other', () => {
  const { memo } = aMemo()
  memo.saw(aSecret('5', 'abc'))
  expect(memo.recall(metadataOf(aSecret('5', '')))).toBe(3)
  expect(memo.recall(metadataOf(aSecret('6', '')))).toBeUndefined()
  expect(memo.recall(metadataOf(aSecret('5', '', 'another')))).toBeUndefined()
})

test('an older version that comes late takes nothing back', () => {
  const { memo } = aMemo()
  memo.saw(aSecret('10', 'abc'))
  memo.saw(aSecret('9', 'ab'))
  expect(memo.recall(metadataOf(aSecret('10', '')))).toBe(3)
})

test('many copies of one key are looked into once', () => {
  const { memo, looks } = aMemo()
  for (let n = 0; n < 100; n += 1) memo.saw(aSecret('5', 'abc', `uid-${n}`))
  expect(looks).toEqual(['abc'])
})

test('what has left is forgotten', () => {
  const { memo } = aMemo()
  memo.saw(aSecret('5', 'abc'))
  memo.left('uid-n')
  expect(memo.recall(metadataOf(aSecret('5', '')))).toBeUndefined()
})
