import type { Clock } from '../kube/clock.ts'
import { type Duration, milliseconds, minutes } from '../pure/duration.ts'

/** `change`: something happened to this key. `relist`: it is only being looked at again. */
export const lanes = ['change', 'relist'] as const
export type Lane = (typeof lanes)[number]

const shortestPause = milliseconds(5)
const longestPause = minutes(5)
// So that a steady stream of changes cannot starve a relist.
const changesPerRelist = 4

/** Keys waiting for a pass: each at most once, never twice at work, changes before relists. */
export class Queue {
  readonly #clock: Clock
  /** By key: since when it waits. */
  readonly #waiting: Readonly<Record<Lane, Map<string, number>>> = { change: new Map(), relist: new Map() }
  readonly #atWork = new Set<string>()
  /** Keys that were added again while at work. */
  readonly #again = new Map<string, Lane>()
  readonly #timers = new Map<string, { readonly due: number; readonly callOff: () => void }>()
  readonly #failures = new Map<string, number>()
  readonly #takers = new Set<(key: string | undefined) => void>()
  #picks = 0
  #isSuspended = false
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(key: string, lane: Lane = 'change'): void {
    if (!this.#isOpen) return
    if (this.#atWork.has(key)) {
      if (this.#again.get(key) !== 'change') this.#again.set(key, lane)
      return
    }
    const since = this.#waiting.relist.get(key) ?? this.#clock.elapsed()
    if (lane === 'change') this.#waiting.relist.delete(key)
    if (!this.#waiting.change.has(key)) this.#waiting[lane].set(key, since)
    this.#serve()
  }

  /** Adds the key later; of several wishes the earliest counts. */
  addAfter(key: string, time: Duration): void {
    if (!this.#isOpen) return
    const due = this.#clock.elapsed() + time
    const known = this.#timers.get(key)
    if (known !== undefined && known.due <= due) return
    known?.callOff()
    const callOff = this.#clock.after(time, () => {
      this.#timers.delete(key)
      this.add(key)
    })
    this.#timers.set(key, { due, callOff })
  }

  /** Adds the key after a pause that grows with each failure in a row, at least as long as asked. */
  retry(key: string, atLeast: Duration = milliseconds(0)): void {
    if (!this.#isOpen) return
    const failures = this.failuresOf(key)
    this.#failures.set(key, failures + 1)
    const most = Math.min(longestPause, shortestPause * 2 ** failures)
    this.addAfter(key, milliseconds(atLeast + Math.random() * most))
  }

  /** How often in a row the key's pass has failed. */
  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  /** The key's pass went well: the next failure is its first. */
  forgive(key: string): void {
    this.#failures.delete(key)
  }

  /** The next key to work on; undefined when the queue is closed or the signal raised. Ends with `done`. */
  take(signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const leave = () => {
        this.#takers.delete(taker)
        resolve(undefined)
      }
      const taker = (key: string | undefined) => {
        signal.removeEventListener('abort', leave)
        resolve(key)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#takers.add(taker)
      this.#serve()
    })
  }

  done(key: string): void {
    this.#atWork.delete(key)
    const lane = this.#again.get(key)
    if (lane === undefined) return
    this.#again.delete(key)
    this.add(key, lane)
  }

  /** Whether it takes keys in. */
  get #isOpen(): boolean {
    return !this.#isSuspended && !this.#isClosed
  }

  /** Nothing waits and nothing is at work; keys may still come up later. */
  get isEmpty(): boolean {
    return this.#atWork.size === 0 && this.#waiting.change.size === 0 && this.#waiting.relist.size === 0
  }

  depth(lane: Lane): number {
    return this.#waiting[lane].size
  }

  /** How long the key that waits longest has waited. */
  get longestWait(): Duration {
    const now = this.#clock.elapsed()
    const waits = lanes.flatMap((lane) => [...this.#waiting[lane].values()].map((since) => now - since))
    return milliseconds(waits.reduce((longest, wait) => Math.max(longest, wait), 0))
  }

  /**
   * Forgets everything but what is at work, and takes nothing in until it is resumed: whoever does not work on the keys must
   * not collect them.
   */
  suspend(): void {
    this.#isSuspended = true
    for (const lane of lanes) this.#waiting[lane].clear()
    this.#again.clear()
    this.#failures.clear()
    this.#callOffTimers()
  }

  resume(): void {
    this.#isSuspended = false
  }

  close(): void {
    this.#isClosed = true
    this.#callOffTimers()
    this.#serve()
  }

  #callOffTimers(): void {
    for (const { callOff } of this.#timers.values()) callOff()
    this.#timers.clear()
  }

  #serve(): void {
    for (const taker of this.#takers) {
      const key = this.#isClosed ? undefined : this.#pick()
      if (key === undefined && !this.#isClosed) return
      this.#takers.delete(taker)
      taker(key)
    }
  }

  #pick(): string | undefined {
    const isRelistsTurn = this.#picks % (changesPerRelist + 1) === changesPerRelist
    const order: readonly Lane[] = isRelistsTurn ? ['relist', 'change'] : lanes
    for (const lane of order) {
      const [key] = this.#waiting[lane].keys()
      if (key === undefined) continue
      this.#waiting[lane].delete(key)
      this.#atWork.add(key)
      this.#picks += 1
      return key
    }
    return undefined
  }
}
