import { expect, test } from 'vitest'
import { days } from '../../src/pure/duration.ts'
import { readKeyList } from '../../src/pure/key-list.ts'
import { Secret } from '../../src/pure/kind.ts'
import {
  deleteAnnotation,
  droppedAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
} from '../../src/pure/names.ts'
import { parseRevokedKeys } from '../../src/pure/revoked-keys.ts'
import { backupOf, generation, keyIdIn, revoke, rotate, statesOf } from '../kit/keys-of-suite.ts'
import { aLedger, type Ledger } from '../kit/ledger.ts'
import { aLoadedSuite, type PlayedService } from '../kit/played-service.ts'
import { aServedSuite, type SecretObject, type Suite } from '../kit/suite.ts'

/** The ids of the revoked keys that the agent's nth key remembers. */
const rememberedBy = async (suite: Suite, number: number): Promise<readonly string[]> => {
  const { annotations = {} } = (await generation(suite, number))?.metadata ?? {}
  return parseRevokedKeys(annotations[revokedKeysAnnotation]).map(({ keyId }) => keyId)
}

/** Creates the Secret again as a backup has it, with these annotations beside its own. */
const restoreBackup = (suite: Suite, secret: SecretObject, more: Readonly<Record<string, string>> = {}) => {
  const { metadata, ...rest } = backupOf(secret)
  const annotations = { ...metadata.annotations, ...more }
  return suite.user.create(Secret, { ...rest, metadata: { ...metadata, annotations } })
}

const listedKeyIds = async (ledger: Ledger): Promise<readonly string[]> => {
  const read = readKeyList((await ledger.list())?.data ?? {})
  return 'known' in read ? read.known.map(({ keyId }) => keyId) : [read.unknown]
}

test('LCA-73 when the services have dropped a revoked key, its Secret is deleted and the key in use remembers it', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  const [service] = services as [PlayedService]
  const first = keyIdIn(await suite.canonical())
  await revoke(suite, first)
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Revoked', '2 Current'])
  expect(await rememberedBy(suite, 2)).toEqual([])

  await service.list(2)
  await service.load()
  await suite.settle()
  expect(await suite.canonical()).toBeUndefined()
  expect(await rememberedBy(suite, 2)).toEqual([first])
  expect(await statesOf(suite)).toEqual(['2 Current'])
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 2)))
  const done = await suite.condition('RevocationComplete')
  expect(done).toMatchObject({ status: 'True', reason: 'Revoked' })
  expect(done?.message).toMatch(new RegExp(`^key ${first} left the last pod \\d+[smh] after it was revoked$`))

  await revoke(suite, '')
  await suite.settle()
  expect(await suite.condition('RevocationComplete')).toBeUndefined()
})

test('LCA-73 a revoked key above the current one stays until a later key is in use', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  const [service] = services as [PlayedService]
  await rotate(suite, 'spring')
  await suite.settle()
  const second = keyIdIn(await generation(suite, 2))
  await revoke(suite, second)
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Revoked'])

  await rotate(suite, 'autumn')
  await suite.settle()
  await service.list(1, 3)
  await service.load()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '3 Current'])
  expect(await rememberedBy(suite, 3)).toEqual([second])
})

test('LCA-74 a backup of a revoked key that is restored is revoked again, listed nowhere and deleted again', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await ledger.rollOut()
  const backup = (await suite.canonical())!
  const first = keyIdIn(backup)
  await revoke(suite, first)
  await suite.settle()
  await ledger.rollOut()
  await suite.settle()
  expect(await suite.canonical()).toBeUndefined()
  const second = keyIdIn(await generation(suite, 2))
  expect(await listedKeyIds(ledger)).toEqual([second])
  const { resourceVersion } = (await ledger.list())!.metadata

  await revoke(suite, '')
  await suite.settle()
  for (const annotations of [{}, { [retiresAnnotation]: '2999-01-01T00:00:00Z' }]) {
    await restoreBackup(suite, backup, annotations)
    await suite.settle()
    expect(await suite.canonical()).toBeUndefined()
    expect(await statesOf(suite)).toEqual(['2 Current'])
  }
  expect(await rememberedBy(suite, 2)).toEqual([first])
  expect((await ledger.list())?.metadata.resourceVersion).toBe(resourceVersion)
  expect((await suite.agent())?.status?.keyID).toBe(second)
})

test('LCA-73 LCA-74 rotations keep the memory of revoked keys, also when the key that remembered them is deleted', async () => {
  await using suite = await aServedSuite(['a'])
  const backup = (await suite.canonical())!
  const first = keyIdIn(backup)
  await revoke(suite, first)
  await suite.settle()
  await revoke(suite, '')
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await rememberedBy(suite, 3)).toEqual([first])
  suite.clock.turn(days(8))
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['3 Current'])

  await restoreBackup(suite, backup, { [retiresAnnotation]: '2999-01-01T00:00:00Z' })
  await suite.settle()
  expect(await suite.canonical()).toBeUndefined()
  expect(await statesOf(suite)).toEqual(['3 Current'])
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 3)))
})

test.each([
  ['before the deletion is confirmed', false],
  ['after it', true],
])(
  'LCA-73 an operator that stops between remembering and deleting a revoked key, %s, deletes it when it starts again',
  async (_, isConfirmed) => {
    await using played = await aLoadedSuite('a')
    const { suite, services } = played
    const [service] = services as [PlayedService]
    const first = (await suite.canonical())!
    const keyId = keyIdIn(first)
    await revoke(suite, keyId)
    await suite.settle()
    const revokedAt = (await suite.canonical())?.metadata.annotations?.[revokedAnnotation]
    const memory = JSON.stringify([{ keyId, revokedAt, droppedAt: revokedAt }])
    await suite.restart(async () => {
      await service.list(2)
      await service.load()
      const annotate = (secret: SecretObject, annotations: object) =>
        suite.user.patch(Secret, secret.metadata, { metadata: { annotations } })
      await annotate((await generation(suite, 2))!, { [revokedKeysAnnotation]: memory })
      const confirmed = isConfirmed ? { [deleteAnnotation]: keyId } : {}
      await annotate(first, { [droppedAnnotation]: revokedAt, ...confirmed })
    })
    expect(await suite.canonical()).toBeUndefined()
    expect(await statesOf(suite)).toEqual(['2 Current'])
    expect(await rememberedBy(suite, 2)).toEqual([keyId])
  },
)

test('LCA-73 the Secret of a revoked key stays while its key is in a namespace that the operator does not watch', async () => {
  await using suite = await aServedSuite(['a', 'b'])
  const first = keyIdIn(await suite.canonical())
  suite.watchedRoles = ['a']
  await suite.restart(() => revoke(suite, first))
  expect(await statesOf(suite)).toEqual(['1 Revoked', '2 Current'])
  expect(await suite.canonical()).toBeDefined()
})

test('LCA-62 revoked keys are deleted with their agent', async () => {
  await using played = await aLoadedSuite('a')
  const { suite } = played
  await revoke(suite, keyIdIn(await suite.canonical()))
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Revoked', '2 Current'])
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
})
