import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { minutes, seconds } from '../pure/duration.ts'
import { systemClock, waitFor } from './clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const days = (n: number) => minutes(n * 24 * 60)

test('a timer of two months fires after two months, not at once', () => {
  let hasFired = false
  systemClock.after(days(60), () => {
    hasFired = true
  })
  vi.advanceTimersByTime(days(60) - 1)
  expect(hasFired).toBe(false)
  vi.advanceTimersByTime(1)
  expect(hasFired).toBe(true)
})

test('a long timer that is called off in its second piece never fires', () => {
  let hasFired = false
  const callOff = systemClock.after(days(3), () => {
    hasFired = true
  })
  vi.advanceTimersByTime(days(1.5))
  callOff()
  vi.advanceTimersByTime(days(3))
  expect(hasFired).toBe(false)
})

test('a wait ends when its signal is raised, and leaves no timer behind', async () => {
  const stop = new AbortController()
  const waiting = waitFor(systemClock, seconds(60), stop.signal)
  stop.abort()
  await waiting
  expect(vi.getTimerCount()).toBe(0)
})
