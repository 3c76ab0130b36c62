import { expect, test } from 'vitest'
import { Elector } from '../../test/kit/elector.ts'
import { lapse } from '../../test/kit/lapse.ts'
import { LeaseServer } from '../../test/kit/lease-server.ts'
import { replyWith } from '../../test/kit/scripted-port.ts'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { milliseconds, seconds } from '../pure/duration.ts'

const moment = milliseconds(1)

const theirs = {
  holderIdentity: 'somebody else',
  leaseDurationSeconds: 15,
  acquireTime: '2026-11-15T12:00:00.000000Z',
  renewTime: '2026-11-15T12:00:00.000000Z',
  leaseTransitions: 0,
}

/** A leader and the server that holds its Lease. */
const aLeader = async () => {
  const server = new LeaseServer()
  const leader = new Elector(server.port())
  await lapse(moment, leader.clock)
  return { server, leader }
}

test('who comes first makes the Lease and leads', async () => {
  const { server, leader } = await aLeader()

  expect(leader.isLeading).toBe(true)
  const stamp = new Date(leader.clock.now() - moment).toISOString().replace('Z', '000Z')
  expect(server.lease?.spec).toEqual({
    holderIdentity: leader.identity,
    leaseDurationSeconds: 15,
    acquireTime: stamp,
    renewTime: stamp,
    leaseTransitions: 0,
  })
})

test('every start of a program is a candidate of its own', async () => {
  const server = new LeaseServer()
  const [one, other] = [new Elector(server.port()), new Elector(server.port())]
  expect(one.identity).not.toBe(other.identity)
})

test('while the leader renews, nobody else leads', async () => {
  const { server, leader } = await aLeader()
  const standby = new Elector(server.port())

  await lapse(seconds(120), leader.clock, standby.clock)

  expect(leader.terms.map(({ aborted }) => aborted)).toEqual([false])
  expect(standby.terms).toEqual([])
  expect(standby.leadership.permit(seconds(0))).toBe(false)
  expect(server.lease?.spec).toMatchObject({ holderIdentity: leader.identity, leaseTransitions: 0 })
})

test('a leader that stops drains, and only then releases the Lease', async () => {
  const { server, leader } = await aLeader()
  const letDrain = leader.holdUp()

  leader.stop()
  await lapse(seconds(60), leader.clock)
  expect(leader.isLeading).toBe(false)
  expect(server.lease?.spec?.holderIdentity).toBe(leader.identity)
  expect(leader.leadership.permit(seconds(8))).toBe(true)

  letDrain()
  await leader.ended
  expect(server.lease?.spec?.holderIdentity).toBe('')
  expect(leader.leadership.permit(seconds(0))).toBe(false)
})

test('a released Lease is taken within two seconds', async () => {
  const { server, leader } = await aLeader()
  const standby = new Elector(server.port())
  await lapse(seconds(31), leader.clock, standby.clock)

  leader.stop()
  await leader.ended
  await lapse(seconds(2), standby.clock)

  expect(standby.isLeading).toBe(true)
  expect(server.lease?.spec).toMatchObject({ holderIdentity: standby.identity, leaseTransitions: 1 })
})

test('a candidate that is asked to stop just as it wins leads nothing and releases the Lease', async () => {
  const server = new LeaseServer()
  const candidate: Elector = new Elector(
    server.port((request, pass) => {
      if (request.method === 'POST') candidate.stop()
      return pass()
    }),
  )

  await candidate.ended

  expect(candidate.terms).toEqual([])
  expect(server.lease?.spec?.holderIdentity).toBe('')
})

test('a candidate that is asked to stop while it waits just ends', async () => {
  const server = new LeaseServer()
  server.put(theirs)
  const candidate = new Elector(server.port())
  await lapse(seconds(1), candidate.clock)

  candidate.stop()
  await candidate.ended

  expect(server.lease?.spec).toEqual(theirs)
})

test.for([
  { what: 'silent', spec: theirs, after: 15 },
  { what: 'silent and ahead of time', spec: { ...theirs, renewTime: '2099-01-01T00:00:00.000000Z' }, after: 15 },
  { what: 'silent with a longer lease', spec: { ...theirs, leaseDurationSeconds: 40 }, after: 40 },
  { what: 'unreadable without a renewal', spec: { ...theirs, renewTime: '' }, after: 15 },
  { what: 'unreadable with a negative duration', spec: { ...theirs, leaseDurationSeconds: -5 }, after: 15 },
  { what: 'empty', spec: {}, after: 15 },
])('a Lease that stays $what is left alone for $after s, and then taken', async ({ spec, after }) => {
  const server = new LeaseServer()
  server.put(spec)
  const candidate = new Elector(server.port())

  await lapse(milliseconds(seconds(after) - 1), candidate.clock)
  expect(server.lease?.spec).toEqual(spec)
  expect(candidate.terms).toEqual([])

  await lapse(seconds(2), candidate.clock)
  expect(candidate.isLeading).toBe(true)
  expect(server.lease?.spec?.holderIdentity).toBe(candidate.identity)
})

test('a change of the Lease counts from when the answer that shows it is there, not from the question', async () => {
  const server = new LeaseServer()
  server.put(theirs)
  const clock = new TurnedClock()
  const candidate = new Elector(
    server.port(({ method }, pass) =>
      method === 'GET' ? new Promise((resolve) => clock.after(seconds(5), () => resolve(pass()))) : pass(),
    ),
    { clock },
  )

  await lapse(seconds(19), clock)

  expect(candidate.terms).toEqual([])
  expect(server.lease?.spec).toEqual(theirs)
})

test('a deleted Lease is no released one: it is waited out, while its leader finds out and makes it anew', async () => {
  const { server, leader } = await aLeader()
  const standby = new Elector(server.port())
  await lapse(seconds(5), leader.clock, standby.clock)

  server.lease = undefined
  await lapse(milliseconds(seconds(15) - 1), standby.clock)
  expect(standby.terms).toEqual([])

  await lapse(seconds(3), leader.clock)
  expect(leader.terms.map(({ aborted }) => aborted)).toEqual([true, false])
  expect(server.lease).toMatchObject({ spec: { holderIdentity: leader.identity } })
})

test('who finds another holder in its Lease has lost it at once, and stands by', async () => {
  const { server, leader } = await aLeader()
  server.put(theirs)

  await lapse(seconds(2), leader.clock)

  expect(leader.terms.map(({ aborted }) => aborted)).toEqual([true])
  expect(leader.leadership.permit(seconds(0))).toBe(false)
  expect(server.lease?.spec).toEqual(theirs)
})

test('an answer that does not show our claim does not make a leader', async () => {
  const server = new LeaseServer()
  const candidate = new Elector(server.port(({ method }, pass) => (method === 'GET' ? pass() : replyWith(200, {}))))

  await lapse(seconds(10), candidate.clock)

  expect(candidate.terms).toEqual([])
})

test('a run fails with its leader’s work, after the Lease is released', async () => {
  const { server, leader } = await aLeader()
  const bug = new Error('a bug')
  leader.drain = Promise.reject(bug)

  leader.stop()

  await expect(leader.ended).rejects.toBe(bug)
  expect(server.lease?.spec?.holderIdentity).toBe('')
})

test('work that ends with the reason for which it was asked to end has not failed', async () => {
  const { server, leader } = await aLeader()
  const letDrain = leader.holdUp()
  server.put(theirs)
  await lapse(seconds(2), leader.clock)

  letDrain(Promise.reject(leader.terms[0]?.reason as Error))
  await lapse(seconds(20), leader.clock)

  expect(leader.logs.at(-1)).toBe('leading')
})

test('a leader that ends its work unasked releases the Lease and does not come back', async () => {
  const { server, leader } = await aLeader()

  leader.work.resolve(undefined)
  await leader.ended

  expect(server.lease?.spec?.holderIdentity).toBe('')
})

test('each change is one line in the log, and a renewal is none', async () => {
  const { server, leader } = await aLeader()
  const standby = new Elector(server.port())
  await lapse(seconds(60), leader.clock, standby.clock)

  leader.stop()
  await leader.ended
  await lapse(seconds(30), standby.clock)

  expect(leader.logs).toEqual(['leading', 'released the Lease'])
  expect(standby.logs).toEqual([`standing by: ${leader.identity} holds the Lease`, 'leading'])
})
