import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { days, minutes } from '../../src/pure/duration.ts'
import { currentSinceAnnotation, retiresAnnotation } from '../../src/pure/names.ts'
import { generation, keyIdIn, rotate, statesOf } from '../kit/keys-of-suite.ts'
import { aLoadedSuite, PlayedService } from '../kit/played-service.ts'
import { serviceKey } from '../kit/services.ts'
import { turn } from '../kit/standstill.ts'
import { aSuite, type Suite } from '../kit/suite.ts'

const carriedIn = async (suite: Suite, ...roles: readonly string[]): Promise<readonly string[]> =>
  Promise.all(roles.map(async (role) => keyIdIn(await suite.replica(role))))

test('LCA-53 LCA-55 LCA-56 a key is exchanged: listed everywhere, then used, and the former one accepted for a week', async () => {
  await using played = await aLoadedSuite('a', 'b')
  const { suite, services } = played
  const [a, b] = services as [PlayedService, PlayedService]
  const first = keyIdIn(await generation(suite, 1))

  await rotate(suite, 'spring')
  await suite.settle()
  const second = keyIdIn(await generation(suite, 2))
  expect(second).toMatch(/^[0-9a-f]{16}$/)
  expect((await generation(suite, 2))?.immutable).toBe(true)
  expect(await carriedIn(suite, 'a', 'b')).toEqual([first, first])
  expect((await suite.condition('RotationComplete'))?.message).toContain(`${a.name}, ${b.name}`)

  for (const service of services) await service.list(1, 2)
  await a.load()
  await suite.settle()
  expect(await carriedIn(suite, 'a', 'b')).toEqual([first, first])
  expect(await suite.condition('RotationComplete')).toMatchObject({ status: 'False', reason: 'RotationWaiting' })
  expect((await suite.condition('RotationComplete'))?.message).toContain(b.name)
  expect((await suite.condition('RotationComplete'))?.message).not.toContain(a.name)

  await b.load()
  await suite.settle()
  expect(await carriedIn(suite, 'a', 'b')).toEqual([second, second])
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  expect((await suite.agent())?.status?.keyID).toBe(second)
  expect(await suite.condition('RotationComplete')).toMatchObject({ status: 'False', reason: 'Overlapping' })

  await turn(suite, days(6))
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  await turn(suite, days(2))
  expect(await statesOf(suite)).toEqual(['1 Draining', '2 Current'])
  for (const service of services) await service.list(2)
  await suite.settle()
  expect(await generation(suite, 1)).toBeDefined()
  for (const service of services) await service.load()
  await suite.settle()
  expect(await generation(suite, 1)).toBeUndefined()
  expect(await statesOf(suite)).toEqual(['2 Current'])
  expect(await suite.condition('RotationComplete')).toBeUndefined()
  expect(await suite.condition()).toMatchObject({ status: 'True', reason: 'KeyPairReady' })
})

test('LCA-57 a service that never finishes to load the next key holds the rotation, for a month', async () => {
  await using played = await aLoadedSuite('a', 'b')
  const { suite, services } = played
  const [a, b] = services as [PlayedService, PlayedService]
  const first = keyIdIn(await generation(suite, 1))
  await rotate(suite, 'spring')
  await suite.settle()
  for (const service of services) await service.list(1, 2)
  await a.load()
  await b.stall(2)
  await turn(suite, days(30))
  expect(await carriedIn(suite, 'a', 'b')).toEqual([first, first])
  expect((await generation(suite, 1))?.metadata.annotations).not.toHaveProperty([retiresAnnotation])
  expect(await suite.condition('RotationComplete')).toMatchObject({ reason: 'RotationWaiting' })
  expect((await suite.condition('RotationComplete'))?.message).toContain(b.name)
})

test('LCA-54 a request is served once: with the status wiped, after a restart, and when it comes back', async () => {
  await using played = await aLoadedSuite()
  const { suite } = played
  await suite.createNamespaces('a')
  await suite.target(['a'])
  await suite.settle()
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  await suite.restart(() => suite.user.patchStatus(LedgerClusterAgent, { name: suite.agentName }, { status: null }))
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])

  await rotate(suite, 'autumn')
  await suite.settle()
  await turn(suite, days(8))
  expect(await statesOf(suite)).toEqual(['3 Current'])
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['3 Current'])
})

test('LCA-53 an agent’s first key serves the request that the agent came with', async () => {
  await using suite = await aSuite(['a'])
  await suite.createAgent(['a'])
  await rotate(suite, 'spring')
  await suite.start()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current'])
})

test('LCA-53 LCA-56 a key is exchanged when it has become as old as it may be, with the overlap that was asked for', async () => {
  await using suite = await aSuite(['a'])
  await suite.start()
  await suite.createAgent(['a'])
  const rotation = { every: '90d', overlap: '2h' }
  await suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { rotation } })
  await suite.settle()
  await turn(suite, days(89))
  expect(await statesOf(suite)).toEqual(['1 Current'])
  await turn(suite, days(1.1))
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
  await turn(suite, minutes(180))
  expect(await statesOf(suite)).toEqual(['2 Current'])
})

test('LCA-58 a service that comes during a rotation is waited for, and one that goes is not', async () => {
  await using played = await aLoadedSuite('a', 'b')
  const { suite, services } = played
  const [a, b] = services as [PlayedService, PlayedService]
  await suite.createNamespaces('c')
  await rotate(suite, 'spring')
  await suite.settle()
  await a.list(1, 2)
  await a.load()
  const late = new PlayedService(suite, 'c')
  await late.create()
  await suite.settle()
  expect((await suite.condition('RotationComplete'))?.message).toContain(`${b.name}, ${late.name}`)
  await b.relabel(Object.fromEntries(Object.keys(suite.labels).map((label) => [label, null])))
  await suite.settle()
  expect((await suite.condition('RotationComplete'))?.message).not.toContain(b.name)
  await late.list(1, 2)
  await late.load()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
})

test('LCA-60 an agent that is deleted during a rotation goes with all its keys', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  await rotate(suite, 'spring')
  await suite.settle()
  await services[0]?.list(1, 2)
  await suite.deleteAgent()
  await suite.settle()
  expect(await suite.condition()).toMatchObject({ reason: 'Deleting' })
  expect(await suite.secrets()).toEqual([])
  await services[0]?.list()
  await suite.settle()
  expect(await suite.agent()).toBeUndefined()
})

test('LCA-55 a key that came after another says since when it is in use', async () => {
  await using played = await aLoadedSuite()
  const { suite } = played
  await suite.createNamespaces('a')
  await suite.target(['a'])
  await suite.settle()
  await rotate(suite, 'spring')
  await suite.settle()
  const since = (await generation(suite, 2))?.metadata.annotations?.[currentSinceAnnotation]
  expect((await suite.agent())?.status?.generations?.[1]).toMatchObject({ state: 'Current', since })
})

test('LCA-55 pods that were made with keys are waited for, also when their service asks for no tokens any more', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  const spec = { auth: { enabled: false } }
  await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { spec })
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Minted'])
  expect((await suite.condition('RotationComplete'))?.message).toContain(services[0]?.name)
})

test('LCA-55 also while the pods that are made without keys do not come up', async () => {
  await using played = await aLoadedSuite('a')
  const { suite, services } = played
  await suite.user.patch(LedgerService, serviceKey(suite, 'a'), { spec: { auth: { enabled: false } } })
  await services[0]?.unwire()
  await services[0]?.stall(1)
  await rotate(suite, 'spring')
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Current', '2 Minted'])
  await services[0]?.load()
  await suite.settle()
  expect(await statesOf(suite)).toEqual(['1 Retiring', '2 Current'])
})
