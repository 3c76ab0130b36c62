import { expect, test } from 'vitest'
import { lapse } from '../../test/kit/lapse.ts'
import { aTroubledElector, failing, silent } from '../../test/kit/troubled-elector.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { milliseconds, seconds } from '../pure/duration.ts'

const moment = milliseconds(1)

test('after its event loop was blocked past the deadline, a leader is permitted nothing from the first moment', async () => {
  const { elector, clock } = await aTroubledElector()

  clock.block(seconds(20))

  expect(elector.leadership.permit(seconds(0))).toBe(false)
  expect(elector.isLeading).toBe(false)
})

test('a leader whose event loop was blocked past the deadline has lost when its late timers run, and contends again', async () => {
  const { elector, clock } = await aTroubledElector()

  clock.block(seconds(20))
  clock.turn(seconds(0))
  expect(elector.isLeading).toBe(false)

  await lapse(moment, clock)
  expect(elector.terms.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a claim whose answer is seen only after the deadline makes no leader', async () => {
  const clock = new TurnedClock()
  const setting = await aTroubledElector(({ method }, pass) => {
    if (method === 'POST') clock.block(seconds(12))
    return pass()
  }, clock)

  expect(setting.server.lease?.spec?.holderIdentity).toBe(setting.elector.identity)
  expect(setting.elector.terms).toEqual([])
  await lapse(seconds(2), clock)
  expect(setting.elector.isLeading).toBe(true)
})

test.for([
  { what: 'a suspended host', ahead: seconds(60) },
  { what: 'a host that was suspended for a little more than a second', ahead: milliseconds(1001) },
  { what: 'a wall clock that was set back', ahead: seconds(-60) },
])('$what ends a term at once, without a permit, and the process contends again', async ({ ahead }) => {
  const { elector, clock } = await aTroubledElector()
  await lapse(seconds(1), clock)

  clock.setWall(ahead)
  expect(elector.leadership.permit(seconds(0))).toBe(false)
  expect(elector.isLeading).toBe(false)

  await lapse(moment, clock)
  expect(elector.terms.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a suspended host is noticed although nobody asks for a permit', async () => {
  const { elector, clock } = await aTroubledElector()

  clock.setWall(seconds(60))
  await lapse(seconds(2), clock)

  expect(elector.terms.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a suspended host is noticed although the server cannot be reached', async () => {
  const setting = await aTroubledElector()
  setting.trouble = silent

  setting.clock.setWall(seconds(60))
  await lapse(seconds(2), setting.clock)

  expect(setting.elector.isLeading).toBe(false)
})

test('a term is counted from the sending of a renewal, however long its answer takes', async () => {
  const clock = new TurnedClock()
  const setting = await aTroubledElector(undefined, clock)
  setting.trouble = (_, pass) => new Promise((resolve) => clock.after(seconds(5), () => resolve(pass())))
  await lapse(seconds(7), clock)

  // Sent at two seconds, answered at seven.
  expect(setting.elector.leadership.permit(seconds(6))).toBe(true)
  expect(setting.elector.leadership.permit(seconds(8))).toBe(false)
})

test('short suspensions add up until a renewal succeeds', async () => {
  const setting = await aTroubledElector()
  setting.trouble = failing
  setting.clock.setWall(milliseconds(600))
  await lapse(seconds(3), setting.clock)
  expect(setting.elector.isLeading).toBe(true)

  setting.clock.setWall(milliseconds(600))
  expect(setting.elector.leadership.permit(seconds(0))).toBe(false)
})

test('a drain that ends after the deadline has passed unseen leaves the Lease to run out', async () => {
  const { server, elector, clock } = await aTroubledElector()
  const letDrain = elector.holdUp()
  elector.stop()

  clock.block(seconds(12))
  letDrain()
  await elector.ended

  expect(server.lease?.spec?.holderIdentity).toBe(elector.identity)
})
