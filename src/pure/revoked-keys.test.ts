import { expect, test } from 'vitest'
import { formatRevokedKeys, newestAmong, parseRevokedKeys, rememberedAmong, type RevokedKey } from './revoked-keys.ts'

const at = Date.parse('2026-01-31T12:00:00Z')
const key = (keyId: string, more: Partial<RevokedKey> = {}): RevokedKey => ({
  keyId,
  revokedAt: undefined,
  droppedAt: undefined,
  ...more,
})
const keyIdsOf = (keys: readonly RevokedKey[]) => keys.map(({ keyId }) => keyId)

test('LCA-73 the annotation names each revoked key with its times', () => {
  const keys = [key('aa', { revokedAt: at, droppedAt: at + 60_000 }), key('bb', { revokedAt: Infinity })]

  const written = formatRevokedKeys(keys)

  expect(written).toBe(
    '[{"keyId":"aa","revokedAt":"2026-01-31T12:00:00Z","droppedAt":"2026-01-31T12:01:00Z"},{"keyId":"bb"}]',
  )
  expect(parseRevokedKeys(written)).toEqual([keys[0], key('bb')])
})

test.each<[what: string, annotation: string | undefined, keyIds: readonly string[]]>([
  ['absent', undefined, []],
  ['empty', '', []],
  ['not JSON', '[{"keyId":"aa"}', []],
  ['null', 'null', []],
  ['an object', '{"keyId":"aa"}', []],
  ['a text', '"aa"', []],
  ['longer than the operator writes', JSON.stringify([{ keyId: 'aa', more: 'x'.repeat(65_536) }]), []],
  ['a list with entries of other types', '[null,1,"aa",[],{"keyId":1},{"keyId":""},{"keyId":"aa"}]', ['aa']],
  ['a list with times of other types', '[{"keyId":"aa","revokedAt":1,"droppedAt":{}}]', ['aa']],
  ['a list with times that cannot be read', '[{"keyId":"aa","revokedAt":"then"}]', ['aa']],
  ['a list that names a key twice', '[{"keyId":"aa"},{"keyId":"bb"},{"keyId":"aa"}]', ['bb', 'aa']],
  ['a list with a name that objects inherit', '[{"keyId":"__proto__"}]', ['__proto__']],
])('LCA-73 an annotation is read without an exception if it is %s', (_, annotation, keyIds) => {
  expect(parseRevokedKeys(annotation)).toEqual(keyIds.map((keyId) => key(keyId)))
})

test('LCA-73 a generation remembers at most 100 keys, the newest', () => {
  const keys = Array.from({ length: 150 }, (_, n) => key(`k${n}`))

  const newest = newestAmong([...keys, key('k0')])

  expect(newest).toHaveLength(100)
  expect(keyIdsOf(newest).slice(-2)).toEqual(['k149', 'k0'])
  expect(formatRevokedKeys(newest.map((one) => ({ ...one, revokedAt: at, droppedAt: at }))).length).toBeLessThan(65_536)
})

test('LCA-73 what several generations remember counts once', () => {
  const generations = [{ revokedKeys: [key('aa'), key('bb')] }, { revokedKeys: [] }, { revokedKeys: [key('aa')] }]

  expect(keyIdsOf(rememberedAmong(generations))).toEqual(['bb', 'aa'])
})
