import { expect, test } from 'vitest'
import { TurnedClock } from '../../test/kit/turned-clock.ts'
import { milliseconds, seconds } from '../pure/duration.ts'
import { LeadershipLost, leaseTimes, momentOn, Term } from './term.ts'

const anyTime = new AbortController().signal

const aTerm = () => {
  const clock = new TurnedClock()
  return { clock, term: new Term(clock, leaseTimes, momentOn(clock)) }
}

test.for([
  { passed: 0, timeout: 8, permitted: true },
  { passed: 3.999, timeout: 8, permitted: true },
  { passed: 4, timeout: 8, permitted: false },
  { passed: 11.999, timeout: 0, permitted: true },
  { passed: 12, timeout: 0, permitted: false },
])(
  '$passed s after a renewal was sent, what takes $timeout s may start: $permitted',
  ({ passed, timeout, permitted }) => {
    const { clock, term } = aTerm()
    clock.block(seconds(passed))
    expect(term.permit(seconds(timeout))).toBe(permitted)
  },
)

test('a renewal counts from its sending, not from its answer', () => {
  const { clock, term } = aTerm()
  clock.turn(seconds(2))
  const sent = momentOn(clock)
  clock.turn(seconds(5))
  term.renewed(sent)

  expect(term.permit(milliseconds(seconds(7) - 1))).toBe(true)
  expect(term.permit(seconds(7))).toBe(false)
})

test('a renewal that is known only after the deadline comes too late', () => {
  const { clock, term } = aTerm()
  clock.block(seconds(11))
  const sent = momentOn(clock)
  clock.block(seconds(2))
  term.renewed(sent)

  expect(term.lost.aborted).toBe(true)
  expect(term.permit(seconds(0))).toBe(false)
})

test('what can never end in time is refused and not waited for', async () => {
  const { term } = aTerm()
  await expect(term.permitted(seconds(12), anyTime)).rejects.toThrow(
    'nothing that may take 12000 ms can end within 12000 ms after a renewal',
  )
})

test('who waits can be called off', async () => {
  const { clock, term } = aTerm()
  clock.turn(seconds(5))
  const caller = new AbortController()
  const waiting = term.permitted(seconds(8), caller.signal)
  caller.abort(new Error('not needed any more'))
  await expect(waiting).rejects.toThrow('not needed any more')
})

test('once the work is done nothing more is permitted, nothing is waited for and nothing is lost', async () => {
  const { clock, term } = aTerm()
  clock.turn(seconds(5))
  const waiting = term.permitted(seconds(8), anyTime)
  term.close()

  await expect(waiting).rejects.toThrow(LeadershipLost)
  expect(term.permit(seconds(0))).toBe(false)
  clock.turn(seconds(60))
  expect(term.lost.aborted).toBe(false)
})
