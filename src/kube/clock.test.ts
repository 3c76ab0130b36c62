import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { minutes, seconds } from '../pure/duration.ts'
import { systemClock, waitFor } from './clock.ts'

const day = minutes(24 * 60)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is put off for longer than a timer can wait comes when its time has come', () => {
  let isOver = false
  systemClock.after(minutes(100 * 24 * 60), () => (isOver = true))
  vi.advanceTimersByTime(100 * day - 1)
  expect(isOver).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isOver).toBe(true)
})

test('it can be called off in any of its pieces', () => {
  let isOver = false
  const callOff = systemClock.after(minutes(100 * 24 * 60), () => (isOver = true))
  vi.advanceTimersByTime(50 * day)
  callOff()
  vi.advanceTimersByTime(60 * day)
  expect(isOver).toBe(false)
})

test('a wait ends when its signal is raised, and leaves no timer behind', async () => {
  const stop = new AbortController()
  const waiting = waitFor(systemClock, seconds(60), stop.signal)
  stop.abort()
  await waiting
  expect(vi.getTimerCount()).toBe(0)
})
