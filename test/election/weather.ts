import type { WireReply } from '../../src/kube/port.ts'
import { ConnectionError } from '../../src/kube/port.ts'
import { type Duration, milliseconds, seconds } from '../../src/pure/duration.ts'
import { replyWith } from '../kit/scripted-port.ts'

/** How one process gets on with the server. */
export type Weather = 'fair' | 'slow' | 'stormy'

/** Evenly from 0 up to 1, the same in each run of one seed. */
export type Chance = () => number

/** What becomes of one request. */
export interface Fate {
  readonly there: Duration
  readonly back: Duration
  readonly answer: (act: () => WireReply) => WireReply | Promise<WireReply>
}

const longestWay: Readonly<Record<Weather, Duration>> = {
  fair: milliseconds(50),
  slow: seconds(12),
  stormy: seconds(4),
}

const answers: readonly Fate['answer'][] = [
  (act) => act(),
  () => replyWith(500, {}),
  () => replyWith(429, {}),
  () => Promise.reject(new ConnectionError('ECONNREFUSED', { wasSent: false })),
  () => Promise.reject(new ConnectionError('ECONNRESET', { wasSent: true })),
  (act) => {
    act()
    return replyWith(500, {})
  },
  (act) => {
    act()
    throw new ConnectionError('ECONNRESET', { wasSent: true })
  },
]

export const fateOf = (weather: Weather, chance: Chance): Fate => {
  const pick = weather === 'stormy' ? Math.floor(chance() * answers.length) : 0
  const way = () => milliseconds(Math.floor(chance() * longestWay[weather]))
  return { there: way(), back: way(), answer: answers[pick]! }
}

/** A small generator of evenly spread numbers (mulberry32). */
export const chanceOf = (seed: number): Chance => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
