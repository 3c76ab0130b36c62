import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { days } from '../../src/pure/duration.ts'
import { Secret } from '../../src/pure/kind.ts'
import { pausedAnnotation, revokedAnnotation, revokedKeysAnnotation } from '../../src/pure/names.ts'
import { generation, keyIdIn, revoke, rotate, statesOf } from '../kit/keys-of-suite.ts'
import { aLoadedSuite, PlayedService } from '../kit/played-service.ts'
import { aServedSuite, aSuite, type Suite } from '../kit/suite.ts'
import { unreadableSecrets } from './faults.ts'

const pause = (suite: Suite, value: string | null): Promise<void> =>
  suite.user.patch(
    LedgerClusterAgent,
    { name: suite.agentName },
    { metadata: { annotations: { [pausedAnnotation]: value } } },
  )

test('LCA-56 LCA-59 a current key that was deleted during a rotation and restored has all of its overlap', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  const [a] = services as [PlayedService]
  const first = keyIdIn(await suite.canonical())
  await rotate(suite, 'spring')
  await suite.settle()
  // The server tells time in whole seconds: what is restored is younger than the next key beyond doubt.
  const made = Date.parse((await generation(suite, 2))?.metadata.creationTimestamp ?? '')
  await eventually('another second has begun', () => Date.now() > made + 1000)
  await suite.deleteCanonical()
  await suite.settle()
  expect(keyIdIn(await suite.canonical())).toBe(first)
  await a.list(1, 2)
  await a.load()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  const [former] = (await suite.agent())?.status?.generations ?? []
  const left = Date.parse(former?.retiresAt ?? '') - suite.clock.now()
  expect(left).toBeGreaterThan(days(6))
  expect(await suite.condition('RotationComplete')).toMatchObject({ reason: 'Overlapping' })
})

test('LCA-32 LCA-62 a key of a paused agent that is taken back stays so, also when nobody asks for it any more', async () => {
  await using suite = await aServedSuite(['a'])
  await pause(suite, 'true')
  await suite.settle()
  const first = keyIdIn(await suite.canonical())
  await revoke(suite, first)
  await suite.settle()
  expect((await suite.canonical())?.metadata.annotations).toHaveProperty([revokedAnnotation])
  expect(await generation(suite, 2)).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'False', reason: 'Paused' })

  await revoke(suite, '')
  await pause(suite, null)
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['2 Current'])
  const current = await generation(suite, 2)
  expect(current?.metadata.annotations?.[revokedKeysAnnotation]).toContain(first)
  expect(keyIdIn(await suite.replica('a'))).toBe(keyIdIn(current))
})

test('LCA-63 LCA-64 that a key was dropped is told, also beside one that is no key of the agent', async () => {
  await using suite = await aServedSuite(['a'])
  const first = keyIdIn(await suite.canonical())
  await rotate(suite, 'spring')
  await suite.settle()
  await revoke(suite, first, '0123456789abcdef')
  await suite.settle()
  const condition = await suite.condition('RevocationComplete')
  expect(condition).toMatchObject({ status: 'False', reason: 'UnknownKey' })
  expect(condition?.message).toContain(`key ${first} left the last pod`)
})

test('LCA-57 how far a rotation has come is not forgotten while keys cannot be read', async () => {
  const fault = unreadableSecrets()
  await using suite = await aSuite(['a'], { gate: fault.gate })
  const a = new PlayedService(suite, 'a')
  await a.create()
  await suite.start()
  await suite.createAgent([])
  await suite.settle()
  await rotate(suite, 'spring')
  await suite.settle()
  const waiting = await suite.condition('RotationComplete')
  expect(waiting).toMatchObject({ status: 'False', reason: 'RotationWaiting' })

  fault.isOn = true
  const annotations = { 'example.com/seen': 'yes' }
  await suite.user.patch(Secret, suite.canonicalKey(), { metadata: { annotations } })
  await eventually('it is in doubt', async () => (await suite.condition())?.reason === 'SecretUnreadable')
  expect(await suite.condition('RotationComplete')).toEqual(waiting)
})
