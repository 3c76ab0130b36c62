import { afterAll, beforeAll, expect, test } from 'vitest'
import { days } from '../../src/pure/duration.ts'
import { revokeAnnotation, rotateAnnotation } from '../../src/pure/names.ts'
import type { Tenancy } from './tenancy.ts'
import { LedgerWorld } from './world.ts'

let world: LedgerWorld

beforeAll(async () => {
  world = await LedgerWorld.start()
})

afterAll(() => world[Symbol.asyncDispose]())

const roles = ['a', 'b', 'slow']

/** Three ledgers, all of whose pods take the tokens of an agent. */
const aRunningTenancy = async (): Promise<Tenancy> => {
  const tenancy = await world.createServices(...roles)
  await tenancy.createAgent({ overlap: '2d' })
  await tenancy.eventually('there is a key in every namespace', async () => {
    const keys = await Promise.all(roles.map((role) => tenancy.keyIn(role)))
    return keys.every(({ keyId }) => keyId !== '')
  })
  await tenancy.allAnswer(200, await tenancy.keyIn('a'), ...roles)
  return tenancy
}

const isListedBy = async (tenancy: Tenancy, role: string, count: number): Promise<boolean> =>
  (await tenancy.service(role))?.status?.authKeys?.filter(({ state }) => state !== 'Draining').length === count

test('LCA-57 LCA-55 LCA-56 nobody is locked out by a rotation across three ledgers, one of them slow', {
  timeout: 240_000,
}, async () => {
  const tenancy = await aRunningTenancy()
  await using access = tenancy.guardAccess(...roles)
  const former = await tenancy.keyIn('a')
  world.ledgers.hold(tenancy.named('slow'))
  await tenancy.annotate({ [rotateAnnotation]: 'spring' })
  await tenancy.eventually('the fast ones have loaded the next key', async () => {
    const keys = await Promise.all(['a', 'b'].map(async (role) => (await tenancy.service(role))?.status?.authKeys))
    return keys.every((list) => list?.length === 2 && list.every(({ state }) => state === 'Loaded'))
  })
  expect(await isListedBy(tenancy, 'slow', 2)).toBe(true)

  await world.jump(days(30))
  await tenancy.eventually('the slow one is named', async () => {
    const condition = await tenancy.condition('RotationComplete')
    return condition?.reason === 'RotationWaiting' && condition.message.includes(`${tenancy.named('slow')}/books`)
  })
  expect((await tenancy.keyIn('a')).keyId).toBe(former.keyId)
  await tenancy.allAnswer(200, former, 'a', 'b')
  await tenancy.allAnswer(200, await tenancy.keyOfGeneration(2), 'a', 'b')
  expect(tenancy.answers(former, 'slow').flat()).not.toContain(401)

  world.ledgers.letGo(tenancy.named('slow'))
  await tenancy.eventually('the next key is used', async () => (await tenancy.keyIn('a')).keyId !== former.keyId)
  const current = await tenancy.keyIn('a')
  await tenancy.allAnswer(200, current, ...roles)
  await tenancy.allAnswer(200, former, ...roles)
  await tenancy.eventually('the overlap has begun', async () => (await tenancy.generations()).includes('1 Retiring'))

  await world.jump(days(3))
  await tenancy.allAnswer(401, former, ...roles)
  await tenancy.allAnswer(200, current, ...roles)
  await tenancy.eventually('only the new key is left', async () => (await tenancy.generations()).join() === '2 Current')
  expect(access.violations).toEqual([])
  expect(world.ledgers.refused).toEqual([])
})

test('LCA-61 LCA-63 a key that is revoked during a rotation is refused by every pod, and no ledger is left that does not start', {
  timeout: 240_000,
}, async () => {
  const tenancy = await aRunningTenancy()
  const former = await tenancy.keyIn('a')
  world.ledgers.hold(tenancy.named('slow'))
  await tenancy.annotate({ [rotateAnnotation]: 'spring' })
  await tenancy.eventually('the next key is listed', () => isListedBy(tenancy, 'slow', 2))
  await tenancy.annotate({ [revokeAnnotation]: former.keyId })
  await tenancy.eventually('the next key is used', async () => (await tenancy.keyIn('a')).keyId !== former.keyId)
  const current = await tenancy.keyIn('a')
  await tenancy.allAnswer(401, former, 'a', 'b')
  await tenancy.allAnswer(200, current, 'a', 'b')
  expect(await tenancy.condition('RevocationComplete')).toMatchObject({ status: 'False', reason: 'Revoking' })

  world.ledgers.letGo(tenancy.named('slow'))
  await tenancy.allAnswer(401, former, ...roles)
  await tenancy.allAnswer(200, current, ...roles)
  await tenancy.eventually('it is told that the key is gone', async () => {
    const condition = await tenancy.condition('RevocationComplete')
    return condition?.status === 'True' && condition.message.includes(former.keyId)
  })
  await tenancy.eventually('the Secret of the revoked key is deleted', async () => {
    const generations = await tenancy.generations()
    return generations.join() === '2 Current'
  })
  expect(world.ledgers.refused).toEqual([])
})

test('LCA-60 LSV-19 an agent that is deleted during a rotation is refused by every pod, and goes', {
  timeout: 240_000,
}, async () => {
  const tenancy = await aRunningTenancy()
  const former = await tenancy.keyIn('a')
  await tenancy.annotate({ [rotateAnnotation]: 'spring' })
  await tenancy.eventually('the next key is listed', () => isListedBy(tenancy, 'slow', 2))
  await tenancy.deleteAgent()
  await tenancy.eventually('the agent is gone', async () => (await tenancy.agent()) === undefined)
  await tenancy.allAnswer(401, former, ...roles)
  await tenancy.eventually('nobody can sign in', async () => {
    const published = (await tenancy.service('a'))?.status?.conditions?.find(({ type }) => type === 'AuthKeysPublished')
    return published?.reason === 'NobodyCanSignIn'
  })
  expect(world.ledgers.refused).toEqual([])
})
