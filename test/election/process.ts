import { waitFor } from '../../src/kube/clock.ts'
import type { Port } from '../../src/kube/port.ts'
import { type Duration, milliseconds, seconds } from '../../src/pure/duration.ts'
import { Leadership } from '../../src/runtime/leadership.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import type { Chance, Weather } from './weather.ts'

const never = new AbortController().signal
const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What a process needs of the world that it runs in. */
export interface Surroundings {
  readonly chance: Chance
  portOf(process: Process): Port
  /** A write starts that may arrive until the time is over. */
  writes(process: Process, time: Duration): void
}

/** A process on a host of its own: it contends for the Lease, and writes all the time while it leads. */
export class Process {
  readonly clock = new TurnedClock()
  readonly leadership: Leadership
  readonly ended: Promise<void>
  /** Blocked: its time passes and it does nothing. Suspended: only the wall clock goes on. */
  state: 'running' | 'blocked' | 'suspended' = 'running'
  weather: Weather = 'fair'
  /** How much faster than time its wall clock goes. */
  readonly #slew: number
  readonly #stop = new AbortController()
  readonly #surroundings: Surroundings
  readonly #mail: (() => void)[] = []

  constructor(surroundings: Surroundings) {
    const { chance } = surroundings
    this.#surroundings = surroundings
    this.clock.setWall(milliseconds((chance() - 0.5) * seconds(100_000)))
    this.#slew = (chance() - 0.5) / 1000
    const lease = { namespace: 'holdfast', name: 'holdfast' }
    const port = surroundings.portOf(this)
    this.leadership = new Leadership({ port, clock: this.clock, log: silentLog, lease, random: chance })
    this.ended = this.leadership.run((until) => this.#lead(until), this.#stop.signal)
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Something arrives for this process; it takes notice when it runs. */
  deliver(take: () => void): void {
    this.#mail.push(take)
  }

  /** How long until it does something by itself. */
  get untilNext(): number {
    if (this.state !== 'running') return Infinity
    return this.#mail.length > 0 ? 0 : Math.max(0, this.clock.untilNext ?? Infinity)
  }

  pass(time: Duration): void {
    if (this.state === 'suspended') this.clock.setWall(time)
    else {
      this.clock.setWall(milliseconds(time * this.#slew))
      if (this.state === 'blocked') this.clock.block(time)
      else this.clock.turn(time)
    }
    if (this.state === 'running') for (const take of this.#mail.splice(0)) take()
  }

  async #lead(until: AbortSignal): Promise<void> {
    const { chance } = this.#surroundings
    while (!until.aborted) {
      const time = milliseconds(Math.floor(chance() * seconds(8)))
      await this.leadership.permitted(time, until)
      this.#surroundings.writes(this, time)
      await waitFor(this.clock, time, never)
    }
  }
}
