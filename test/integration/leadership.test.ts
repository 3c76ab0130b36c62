import { randomBytes } from 'node:crypto'
import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import { Lease } from '../../src/pure/kind.ts'
import type { LeaseObject } from '../../src/pure/lease.ts'
import { countCalls } from '../../src/runtime/in-flight.ts'
import { Elector } from '../kit/elector.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { User } from '../kit/user.ts'

const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** A Lease that no other test has, and processes that contend for it on the real server. */
class Contest implements AsyncDisposable {
  readonly key = { namespace: 'default', name: `contest-${randomBytes(4).toString('hex')}` }
  readonly user = new User(sharedConnection().port)
  readonly #electors: Elector[] = []
  readonly #calls = countCalls(sharedConnection().port)

  enter(): Elector {
    const elector = new Elector(this.#calls.port, { lease: this.key })
    this.#electors.push(elector)
    return elector
  }

  async lease(): Promise<LeaseObject> {
    const lease = await sharedConnection().client.get<LeaseObject>(Lease, this.key)
    if (lease === undefined) throw new Error('there is no Lease')
    return lease
  }

  async winner(): Promise<Elector> {
    const winner = await eventually('somebody leads', () => this.#electors.find(({ isLeading }) => isLeading))
    await this.calls()
    return winner
  }

  /** Everything that was asked of the server is answered. */
  async calls(): Promise<void> {
    await settled()
    await eventually('every call is answered', () => this.#calls.inFlight === 0)
  }

  /** Lets time pass for some of the processes, and for none of their calls. */
  async pass(time: number, ...electors: readonly Elector[]): Promise<void> {
    for (let left = time; left > 0; left -= seconds(0.5)) {
      for (const { clock } of electors) clock.turn(milliseconds(Math.min(left, seconds(0.5))))
      await this.calls()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#electors.map((elector) => elector[Symbol.asyncDispose]()))
    await this.user.delete(Lease, this.key)
  }
}

test('the leader is written in the Lease as other programs read it, and renewed there', async () => {
  await using contest = new Contest()
  const leader = contest.enter()
  await contest.winner()
  const before = await contest.lease()
  expect(before.spec).toEqual({
    holderIdentity: leader.identity,
    leaseDurationSeconds: 15,
    acquireTime: expect.stringMatching(microTime) as string,
    renewTime: expect.stringMatching(microTime) as string,
    leaseTransitions: 0,
  })

  await contest.pass(seconds(20), leader)

  const { spec } = await contest.lease()
  expect(spec).toEqual({ ...before.spec, renewTime: expect.stringMatching(microTime) as string })
  expect(Date.parse(spec?.renewTime ?? '') - Date.parse(before.spec?.renewTime ?? '')).toBe(seconds(20))
  expect(leader.terms).toHaveLength(1)
})

test('the Lease is released after the drain, and the next one leads within two seconds', async () => {
  await using contest = new Contest()
  const first = contest.enter()
  await contest.winner()
  const second = contest.enter()
  await contest.pass(seconds(4), first, second)
  const letDrain = first.holdUp()

  first.stop()
  await contest.pass(seconds(20), first, second)
  expect((await contest.lease()).spec?.holderIdentity).toBe(first.identity)

  letDrain()
  await first.ended
  expect((await contest.lease()).spec).toMatchObject({ holderIdentity: '', leaseTransitions: 0 })

  await contest.pass(seconds(2), second)
  expect(await contest.winner()).toBe(second)
  expect((await contest.lease()).spec).toMatchObject({ holderIdentity: second.identity, leaseTransitions: 1 })
})

test('a leader that falls silent is followed after its lease, and loses when it wakes', async () => {
  await using contest = new Contest()
  const first = contest.enter()
  await contest.winner()
  const second = contest.enter()
  await contest.pass(seconds(2), second)

  await contest.pass(seconds(12), second)
  expect((await contest.lease()).spec?.holderIdentity).toBe(first.identity)
  await contest.pass(seconds(5), second)
  expect(second.isLeading).toBe(true)
  expect((await contest.lease()).spec).toMatchObject({ holderIdentity: second.identity, leaseTransitions: 1 })

  await contest.pass(seconds(2), first)
  expect(first.isLeading).toBe(false)
  expect((await contest.lease()).spec?.holderIdentity).toBe(second.identity)
})

test.for([2, 10])('of %i that come at once, one leads', async (size) => {
  await using contest = new Contest()
  const electors = Array.from({ length: size }, () => contest.enter())
  const winner = await contest.winner()

  await contest.pass(seconds(20), ...electors)

  expect(electors.filter(({ terms }) => terms.length > 0)).toEqual([winner])
  expect(winner.isLeading).toBe(true)
  expect((await contest.lease()).spec).toMatchObject({ holderIdentity: winner.identity, leaseTransitions: 0 })
})

test('of ten that see the Lease released, one takes it', async () => {
  await using contest = new Contest()
  await contest.user.create(Lease, { metadata: contest.key, spec: { holderIdentity: '' } })
  const electors = Array.from({ length: 10 }, () => contest.enter())
  const winner = await contest.winner()

  await contest.pass(seconds(20), ...electors)

  expect(electors.filter(({ terms }) => terms.length > 0)).toEqual([winner])
  expect((await contest.lease()).spec).toMatchObject({ holderIdentity: winner.identity, leaseTransitions: 1 })
})

test('what other programs write into the Lease stays, and costs no leadership', async () => {
  await using contest = new Contest()
  const leader = contest.enter()
  await contest.winner()
  await contest.user.patch(Lease, contest.key, { metadata: { labels: { theirs: 'yes' } } })

  await contest.pass(seconds(20), leader)

  expect(leader.terms.map(({ aborted }) => aborted)).toEqual([false])
  expect(await contest.lease()).toMatchObject({
    metadata: { labels: { theirs: 'yes' } },
    spec: { holderIdentity: leader.identity },
  })
})

test('a leader whose Lease is deleted has lost it, and makes a new one', async () => {
  await using contest = new Contest()
  const leader = contest.enter()
  await contest.winner()
  const { metadata } = await contest.lease()
  await contest.user.delete(Lease, contest.key)

  await contest.pass(seconds(6), leader)

  expect(leader.terms.map(({ aborted }) => aborted)).toEqual([true, false])
  expect((await contest.lease()).metadata.uid).not.toBe(metadata.uid)
})
