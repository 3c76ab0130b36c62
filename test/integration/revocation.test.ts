import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { days } from '../../src/pure/duration.ts'
import { Secret } from '../../src/pure/kind.ts'
import { adoptAnnotation, revokedAnnotation, revokedKeysAnnotation } from '../../src/pure/names.ts'
import { printKey } from '../../src/pure/object.ts'
import { generation, keyIdIn, revoke, rotate, statesOf } from '../kit/keys-of-suite.ts'
import { aLoadedSuite, PlayedService } from '../kit/played-service.ts'
import { aServedSuite, aSuite } from '../kit/suite.ts'

test('LCA-61 LCA-63 the current key is taken back: another is made and handed out, and it is told until the last pod has dropped it', async () => {
  await using played = await aLoadedSuite('a', 'b')
  const { suite, services } = played
  const [a, b] = services as [PlayedService, PlayedService]
  const first = keyIdIn(await generation(suite, 1))
  await revoke(suite, first)
  await suite.settle()
  const second = keyIdIn(await generation(suite, 2))
  expect(second).not.toBe('')
  expect(keyIdIn(await suite.replica('a'))).toBe(second)
  expect(await statesOf(suite)).toEqual(['1 Revoked', '2 Current'])
  expect((await suite.agent())?.status?.keyID).toBe(second)

  for (const service of services) await service.list(2)
  await a.load()
  await b.stall(1)
  await suite.settle()
  const under = await suite.condition('RevocationComplete')
  expect(under).toMatchObject({ status: 'False', reason: 'Revoking' })
  expect(under?.message).toContain('4 of 6 pods have dropped it')
  expect(under?.message).toContain(b.name)

  await b.load()
  await suite.settle()
  const done = await suite.condition('RevocationComplete')
  expect(done).toMatchObject({ status: 'True', reason: 'Revoked' })
  expect(done?.message).toMatch(new RegExp(`key ${first} left the last pod \\d+[smh] after it was revoked`))
  expect(await statesOf(suite)).toEqual(['2 Current'])
})

test('LCA-61 a key is taken back during a rotation, and the next one takes its place without waiting', async () => {
  await using played = await aLoadedSuite('a')
  const { suite } = played
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Minted'])
  await revoke(suite, keyIdIn(await generation(suite, 1)))
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Revoked', '2 Current'])
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 2)))
})

test('LCA-61 a key that is taken back just after a rotation gives way to the former one, until another is loaded', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  const [a] = services as [PlayedService]
  await rotate(suite, 'spring')
  await suite.settle()
  await a.list(1, 2)
  await a.load()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])

  await revoke(suite, keyIdIn(await generation(suite, 2)))
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Revoked', '3 Minted'])
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 1)))

  await a.list(1, 3)
  await a.load()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '3 Current'])
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 3)))
})

test('LCA-61 the next key is taken back during a rotation, and the former one stays', async () => {
  await using played = await aLoadedSuite('a')
  const { suite } = played
  await rotate(suite, 'spring')
  await suite.settle()
  await revoke(suite, keyIdIn(await generation(suite, 2)))
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Revoked'])
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 1)))
})

test('LCA-62 a revoked key stays revoked when the agent does not name it any more', async () => {
  await using played = await aLoadedSuite('a')
  const { suite } = played
  await revoke(suite, keyIdIn(await suite.canonical()))
  await suite.settle()
  const marked = (await suite.canonical())?.metadata.annotations?.[revokedAnnotation]
  expect(marked).toBeDefined()
  await revoke(suite, '')
  await suite.settle()
  suite.clock.turn(days(30))
  await suite.settle()
  expect((await suite.canonical())?.metadata.annotations?.[revokedAnnotation]).toBe(marked)
  expect(await statesOf(suite)).toEqual(['1 Revoked', '2 Current'])
})

test('LCA-62 a copy of a revoked key that somebody puts back is replaced', async () => {
  await using suite = await aServedSuite(['a'])
  const revoked = (await suite.replica('a'))?.data
  await revoke(suite, keyIdIn(await suite.canonical()))
  await suite.settle()
  await suite.user.patch(Secret, suite.replicaKey('a'), { data: revoked })
  await suite.settle()
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await generation(suite, 2)))
})

test('LCA-62 a revoked key is neither restored nor adopted, also when nothing else is left of the agent’s keys', async () => {
  await using suite = await aServedSuite(['a'])
  const lost = keyIdIn(await suite.canonical())
  await suite.restart(async () => {
    await suite.deleteCanonical()
    await suite.user.patch(
      LedgerClusterAgent,
      { name: suite.agentName },
      {
        metadata: { annotations: { [adoptAnnotation]: printKey(suite.replicaKey('a')) } },
      },
    )
    await revoke(suite, lost)
  })
  expect(await suite.condition()).toMatchObject({ reason: 'AdoptionImpossible' })
  expect(await suite.canonical()).toBeUndefined()

  const annotations = { [adoptAnnotation]: null }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { metadata: { annotations } })
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'KeyPairReady' })
  expect(keyIdIn(await suite.canonical())).not.toBe(lost)
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(await suite.canonical()))
})

test('LCA-64 the revocation of a key that the agent does not have is said to be so', async () => {
  await using suite = await aServedSuite(['a'])
  await revoke(suite, '0123456789abcdef')
  await suite.settle()
  expect(await suite.condition('RevocationComplete')).toMatchObject({ status: 'False', reason: 'UnknownKey' })
  expect(await statesOf(suite)).toEqual(['1 Current'])
})

test('LCA-59 a current key that was deleted is restored from a copy, also in the middle of a rotation', async () => {
  await using played = await aLoadedSuite('a')
  const { suite } = played
  const first = await suite.canonical()
  await rotate(suite, 'spring')
  await suite.settle()
  await suite.deleteCanonical()
  await suite.settle()
  expect((await suite.canonical())?.data).toEqual(first?.data)
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(first))
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Minted'])
})

test('LCA-59 a key that no generation explains is lost, and never a reason to rotate', async () => {
  await using suite = await aServedSuite(['a'])
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  const second = (await generation(suite, 2))!
  await suite.restart(async () => {
    const annotations = { 'holdfast.dev/delete': keyIdIn(second) }
    await suite.user.patch(Secret, second.metadata, { metadata: { annotations } })
    await suite.user.delete(Secret, second.metadata)
    await suite.user.delete(Secret, suite.replicaKey('a'))
    await rotate(suite, 'autumn')
  })
  expect(await suite.condition()).toMatchObject({ reason: 'CanonicalLost' })
  expect((await suite.condition())?.message).toContain(keyIdIn(second))
  expect(await generation(suite, 3)).toBeUndefined()

  await revoke(suite, keyIdIn(second))
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'KeyPairReady' })
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
})

test('LCA-62 a key that is taken back while another is lost stays so, also when only the lost one is named then', async () => {
  await using suite = await aServedSuite(['a'])
  await rotate(suite, 'spring')
  await suite.settle()
  const first = keyIdIn(await generation(suite, 1))
  const second = (await generation(suite, 2))!
  await suite.restart(async () => {
    const annotations = { 'holdfast.dev/delete': keyIdIn(second) }
    await suite.user.patch(Secret, second.metadata, { metadata: { annotations } })
    await suite.user.delete(Secret, second.metadata)
    await suite.user.delete(Secret, suite.replicaKey('a'))
    await revoke(suite, first)
  })
  expect(await suite.condition()).toMatchObject({ reason: 'CanonicalLost' })
  expect((await suite.condition())?.message).toContain(`holdfast.dev/revoke=${first},${keyIdIn(second)}`)

  await revoke(suite, keyIdIn(second))
  await suite.settle()
  const current = await generation(suite, 2)
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(current))
  expect([first, keyIdIn(second)]).not.toContain(keyIdIn(current))
  expect(current?.metadata.annotations?.[revokedKeysAnnotation]).toContain(first)
})

test('LCA-65 the status lists the keys, and since when they are what they are', async () => {
  await using suite = await aServedSuite(['a'])
  const made = (await suite.canonical())?.metadata.creationTimestamp
  const { status } = (await suite.agent())!
  expect(status?.keyMade).toBe(made)
  expect(status?.generations).toEqual([{ generation: 1, keyID: status?.keyID, state: 'Current', made, since: made }])
  await rotate(suite, 'spring')
  await suite.settle()
  const [former, current] = (await suite.agent())?.status?.generations ?? []
  const week = Date.parse(former?.retiresAt ?? '') - Date.parse(former?.since ?? '')
  expect({ former, current, week }).toMatchObject({
    former: { state: 'Retiring' },
    current: { state: 'Current' },
    week: days(7),
  })
})

test('LCA-66 a service that asks for no tokens is named, and holds up no rotation', async () => {
  await using played = await aLoadedSuite()
  const { suite } = played
  await suite.createNamespaces('open')
  const open = new PlayedService(suite, 'open')
  await open.create({})
  await suite.settle()
  expect(await suite.condition('ServicesUsable')).toMatchObject({ status: 'False', reason: 'AuthOff' })
  expect((await suite.condition('ServicesUsable'))?.message).toContain(open.name)
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
})

test('LCA-4 an agent without a target has no key, whatever it is asked for', async () => {
  await using suite = await aSuite([])
  await suite.start()
  await suite.createAgent([])
  await rotate(suite, 'spring')
  await revoke(suite, '0123456789abcdef')
  await suite.settle()
  expect(await suite.secrets()).toEqual([])
})
