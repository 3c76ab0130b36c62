import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { Event, Lease } from '../../src/pure/kind.ts'
import { type Rival, workOf, writesOf } from '../kit/rival.ts'
import type { Suite } from '../kit/suite.ts'
import { aContest, between, holdUp } from './contest.ts'

const leaseTime = 15_000
// A busy machine takes its time to start processes.
const timeout = 180_000

const isReady = (suite: Suite) => async () => (await suite.condition())?.status === 'True'

/** Every object of the agent, as somebody last wrote it. */
const versionsOf = async (suite: Suite) =>
  [await suite.agent(), ...(await suite.secrets())].map((object) => [
    object?.metadata.name,
    object?.metadata.resourceVersion,
    object?.metadata.managedFields,
  ])

const looksOf = ({ answered }: Pick<Rival, 'answered'>): number =>
  answered.filter(({ request }) => request.verb === 'get' && request.plural === Lease.plural).length

test.for([2, 3])(
  'of %i processes one works; asked to stop it ends its work, and another goes on before the lease runs out',
  { timeout },
  async (size) => {
    await using contest = await aContest(size)
    const { suite, rivals } = contest
    const first = await contest.leader()
    const { reached, letGo } = holdUp(first, suite.named('a'))
    await suite.createAgent(['a', 'b'])
    await reached

    const { holderIdentity } = contest.lastClaimOf(first)
    first.child.kill('SIGTERM')
    await eventually('it was asked', () => first.log.some((line) => line.includes('stopping')))
    const { renewTime } = await contest.lease()
    await eventually('it goes on to lead', async () => (await contest.lease()).renewTime !== renewTime)
    expect((await contest.lease()).holderIdentity).toBe(holderIdentity)
    letGo()

    expect(await first.exited).toEqual([0, null])
    const released = contest.lastClaimOf(first)
    expect(released.holderIdentity).toBe('')
    expect(writesOf(first).at(-1)?.lease).toEqual(released)
    expect(workOf(first).map(({ namespace }) => namespace)).toContain(suite.named('a'))

    const second = await contest.leader(first)
    const lease = await contest.lease()
    expect(lease).toMatchObject({
      holderIdentity: contest.lastClaimOf(second).holderIdentity,
      leaseTransitions: 1,
    })
    const handOver = between(released.renewTime, lease.acquireTime)
    console.log(`one of ${size - 1} led ${handOver} ms after the Lease was released`)
    expect(handOver).toBeLessThan(leaseTime)
    await eventually('the agent is ready', isReady(suite))
    await contest.serveAnother('c', ['a', 'b'])

    expect(contest.mints).toBe(1)
    expect(rivals.filter((rival) => workOf(rival).length > 0 && rival !== first)).toEqual([second])
  },
)

test.concurrent('a process that is killed at its work is followed when its lease has run out, and no key is made twice', {
  timeout,
}, async () => {
  await using contest = await aContest(2)
  const { suite } = contest
  const first = await contest.leader()
  const { reached } = holdUp(first, suite.named('a'))
  await suite.createAgent(['a', 'b'])
  await reached
  first.child.kill('SIGKILL')
  expect(await first.exited).toEqual([null, 'SIGKILL'])

  const second = await contest.leader(first)
  const lease = await contest.lease()
  expect(lease.holderIdentity).toBe(contest.lastClaimOf(second).holderIdentity)
  const silence = between(contest.lastClaimOf(first).renewTime, lease.acquireTime)
  console.log(`the other led ${silence} ms after the last renewal of the one that was killed`)
  expect(silence).toBeGreaterThanOrEqual(leaseTime)
  await eventually('the agent is ready', isReady(suite))
  expect(contest.mints).toBe(1)
})

test.concurrent('a process that was stopped for longer than its lease writes nothing when it wakes, and stands by', {
  timeout,
}, async () => {
  await using contest = await aContest(2)
  const { suite } = contest
  const first = await contest.leader()
  const [other] = contest.rivals.filter((rival) => rival !== first)
  await suite.createAgent(['a'])
  await eventually('the agent is ready', isReady(suite))
  // The event comes last: what is under way when the process is stopped goes on when it wakes.
  await eventually('its work is done', () => workOf(first).some(({ plural }) => plural === Event.plural))
  // Who has seen less than there is reads it live when it leads, and sees what shall be hidden from it.
  const { resourceVersion = '' } = (await suite.agent())?.metadata ?? {}
  await eventually('the other one has seen it', () => other?.heard.has(resourceVersion))
  // So that there is work left for whoever does not know that it no longer leads.
  other?.gate.hold(LedgerClusterAgent.plural)
  first.child.kill('SIGSTOP')
  await suite.target(['a', 'b'])
  const second = await contest.leader(first)

  const before = await versionsOf(suite)
  const [written, looks] = [writesOf(first).length, looksOf(first)]
  first.child.kill('SIGCONT')
  const holder = contest.lastClaimOf(second).holderIdentity
  await eventually('it stands by', () =>
    first.log.some((line) => line.includes(`standing by: ${holder} holds the Lease`)),
  )
  await eventually('it has looked at the Lease some times', () => looksOf(first) > looks + 2)
  expect(writesOf(first)).toHaveLength(written)
  expect(await versionsOf(suite)).toEqual(before)

  second.gate.release()
  await eventually('there is a copy in b', () => suite.replica('b'))
  expect(writesOf(first)).toHaveLength(written)
  expect([first.child.exitCode, first.child.signalCode]).toEqual([null, null])

  second.child.kill('SIGTERM')
  expect(await contest.leader(second)).toBe(first)
  await contest.serveAnother('c', ['a', 'b'])
  expect(contest.mints).toBe(1)
})
