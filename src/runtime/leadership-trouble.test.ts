import { expect, test } from 'vitest'
import { lapse } from '../../test/kit/lapse.ts'
import { replyWith } from '../../test/kit/scripted-port.ts'
import { aTroubledElector, failing, mute, silent, type Trouble, unreachable } from '../../test/kit/troubled-elector.ts'
import { milliseconds, seconds } from '../pure/duration.ts'

const moment = milliseconds(1)
const anyTime = new AbortController().signal

test.for([
  { what: 'fails', trouble: failing },
  { what: 'cannot be reached', trouble: unreachable },
  { what: 'stays silent', trouble: silent },
  {
    what: 'says that the Lease has changed',
    trouble: ({ method }) => (method === 'GET' ? undefined : replyWith(409, {})),
  },
] satisfies { what: string; trouble: Trouble }[])(
  'a server that $what for nine seconds costs no leadership',
  async ({ trouble }) => {
    const setting = await aTroubledElector()
    setting.trouble = trouble
    await lapse(seconds(9), setting.clock)
    setting.trouble = undefined
    await lapse(seconds(9), setting.clock)

    expect(setting.elector.terms.map(({ aborted }) => aborted)).toEqual([false])
    expect(setting.elector.leadership.permit(seconds(8))).toBe(true)
  },
)

test.for([
  { what: 'fails', trouble: failing },
  { what: 'cannot be reached', trouble: unreachable },
  { what: 'stays silent', trouble: silent },
] satisfies { what: string; trouble: Trouble }[])(
  'a server that $what past the deadline ends the term there, and it leads again when the server is back',
  async ({ trouble }) => {
    const setting = await aTroubledElector()
    setting.trouble = trouble
    await lapse(milliseconds(seconds(12) - 2 * moment), setting.clock)
    expect(setting.elector.isLeading).toBe(true)
    await lapse(moment, setting.clock)
    expect(setting.elector.isLeading).toBe(false)

    await lapse(seconds(60), setting.clock)
    expect(setting.elector.terms).toHaveLength(1)
    setting.trouble = undefined
    await lapse(seconds(10), setting.clock)
    expect(setting.elector.terms.map(({ aborted }) => aborted)).toEqual([true, false])
  },
)

test('trouble is told once until it is over', async () => {
  const setting = await aTroubledElector()
  setting.trouble = failing
  await lapse(seconds(9), setting.clock)

  expect(setting.elector.logs).toEqual([
    'leading',
    'cannot apply Lease holdfast/holdfast: the API server answered 500',
    'cannot get Lease holdfast/holdfast: the API server answered 500',
  ])
})

test('while a renewal is late a write waits for it', async () => {
  const setting = await aTroubledElector()
  setting.trouble = failing
  await lapse(seconds(5), setting.clock)
  expect(setting.elector.leadership.permit(seconds(8))).toBe(false)
  expect(setting.elector.leadership.permit(seconds(6))).toBe(true)
  let started = false
  void setting.elector.leadership.permitted(seconds(8), anyTime).then(() => (started = true))

  await lapse(seconds(4), setting.clock)
  expect(started).toBe(false)
  setting.trouble = undefined
  await lapse(seconds(2), setting.clock)

  expect(started).toBe(true)
})

test('a write that waits for a renewal fails when leadership is lost', async () => {
  const setting = await aTroubledElector()
  setting.trouble = failing
  await lapse(seconds(5), setting.clock)
  const waiting = expect(setting.elector.leadership.permitted(seconds(8), anyTime)).rejects.toThrow(
    'this process does not lead: the Lease was not renewed for 12 s',
  )

  await lapse(seconds(8), setting.clock)

  await waiting
})

test('the reply to making the Lease may be lost: the next look shows whose it is', async () => {
  const setting = await aTroubledElector(mute)
  expect(setting.elector.terms).toEqual([])

  setting.trouble = undefined
  await lapse(seconds(2), setting.clock)

  expect(setting.elector.isLeading).toBe(true)
  expect(setting.server.lease?.spec).toMatchObject({ holderIdentity: setting.elector.identity, leaseTransitions: 0 })
})

test('the reply to a renewal may be lost: the Lease is still ours, and the term goes on', async () => {
  const setting = await aTroubledElector()
  setting.trouble = mute
  await lapse(seconds(3), setting.clock)
  setting.trouble = undefined
  await lapse(seconds(30), setting.clock)

  expect(setting.elector.terms.map(({ aborted }) => aborted)).toEqual([false])
})

test('a renewal whose reply was lost does not prolong the term', async () => {
  const setting = await aTroubledElector()
  setting.trouble = mute

  await lapse(seconds(12), setting.clock)

  expect(setting.elector.terms[0]?.aborted).toBe(true)
})

test('the reply to a release may be lost: the Lease is released all the same', async () => {
  const setting = await aTroubledElector()
  setting.trouble = mute

  setting.elector.stop()
  await setting.elector.ended

  expect(setting.server.lease?.spec?.holderIdentity).toBe('')
})

test('a release that comes after a foreign change of the Lease is made for what there is', async () => {
  const { server, elector } = await aTroubledElector()
  server.put(server.lease?.spec ?? {})

  elector.stop()
  await elector.ended

  expect(server.lease?.spec?.holderIdentity).toBe('')
})

test('what somebody else holds by now is not released', async () => {
  const { server, elector } = await aTroubledElector()
  server.put({ ...server.lease?.spec, holderIdentity: 'somebody else' })

  elector.stop()
  await elector.ended

  expect(server.lease?.spec?.holderIdentity).toBe('somebody else')
})

test('who loses leadership does not contend again before its work has drained', async () => {
  const setting = await aTroubledElector()
  const letDrain = setting.elector.holdUp()
  setting.trouble = failing
  await lapse(seconds(12), setting.clock)
  setting.trouble = undefined
  const before = setting.server.lease

  await lapse(seconds(60), setting.clock)
  expect(setting.server.lease).toEqual(before)
  letDrain()
  await lapse(moment, setting.clock)

  expect(setting.elector.terms.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('a drain that outlasts the deadline leaves the Lease to run out', async () => {
  const setting = await aTroubledElector()
  const letDrain = setting.elector.holdUp()
  setting.elector.stop()
  setting.trouble = failing
  await lapse(seconds(13), setting.clock)
  setting.trouble = undefined

  letDrain()
  await setting.elector.ended

  expect(setting.server.lease?.spec?.holderIdentity).toBe(setting.elector.identity)
})
