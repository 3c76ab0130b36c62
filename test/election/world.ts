import { setImmediate as settled } from 'node:timers/promises'
import type { Port } from '../../src/kube/port.ts'
import { type Duration, milliseconds, seconds } from '../../src/pure/duration.ts'
import { LeaseServer } from '../kit/lease-server.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { Process, type Surroundings } from './process.ts'
import { type Chance, fateOf } from './weather.ts'

/** Somebody holds the Lease, or nobody, from some moment until the next of its kind. */
interface Holding {
  readonly by: string
  readonly from: number
}

interface Write extends Holding {
  readonly until: number
}

/** Processes with clocks of their own, a server, and the time that passes for all of them. */
export class World implements Surroundings {
  readonly chance: Chance
  readonly holdings: Holding[] = []
  readonly written: Write[] = []
  readonly faults: string[] = []
  readonly #time = new TurnedClock()
  readonly #server = new LeaseServer()
  #processes: readonly Process[]
  /** Those that were asked to stop, and whose place another has taken. */
  readonly #leaving: Process[] = []

  constructor(size: number, chance: Chance) {
    this.chance = chance
    this.#processes = Array.from({ length: size }, () => this.#start())
  }

  /** The process in that place, which may be another than before; or, without a place, the one that holds the Lease. */
  at(place: number | undefined): Process {
    const holder = this.#processes.find(({ leadership }) => leadership.identity === this.holdings.at(-1)?.by)
    return (place === undefined ? holder : undefined) ?? this.#processes[(place ?? 0) % this.#processes.length]!
  }

  /** A new process takes the place of one that stops in its own time, or is dead when it does not run. */
  replace(process: Process): void {
    this.#processes = [...this.#processes.filter((other) => other !== process), this.#start()]
    if (process.state === 'running') this.#leaving.push(process)
  }

  /** All processes run and reach the server. */
  calmDown(): void {
    for (const process of this.#alive) {
      process.state = 'running'
      process.weather = 'fair'
    }
  }

  /** Those that may lead by their own lights. */
  get permitted(): readonly Process[] {
    return this.#alive.filter(({ state, leadership }) => state === 'running' && leadership.permit(milliseconds(0)))
  }

  async pass(time: Duration): Promise<void> {
    for (let left: number = time; left > 0; ) {
      const next = Math.min(this.#time.untilNext ?? Infinity, ...this.#alive.map(({ untilNext }) => untilNext))
      const step = milliseconds(Math.min(left, next))
      this.#time.turn(step)
      for (const process of this.#alive) process.pass(step)
      await settled()
      left -= step
      this.#probe()
    }
  }

  /** The way of a process to the server. A request that its sender has given up may still arrive. */
  portOf(process: Process): Port {
    return this.#server.port((_, act) => {
      const { there, back, answer } = fateOf(process.weather, this.chance)
      const reply = Promise.withResolvers<Awaited<ReturnType<typeof answer>>>()
      this.#time.after(there, () => {
        const answered = (async () => answer(act))()
        // The sender may be dead by the time it would hear of it.
        answered.catch(() => undefined)
        this.#note()
        this.#time.after(back, () => process.deliver(() => reply.resolve(answered)))
      })
      return reply.promise
    })
  }

  writes({ leadership }: Process, time: Duration): void {
    const from = this.#time.elapsed()
    this.written.push({ by: leadership.identity, from, until: from + time })
  }

  /** The writes that might have arrived while their sender did not hold the Lease. */
  get strayWrites(): readonly string[] {
    return this.written.flatMap((write) => {
      const strangers = this.holdings.filter(({ by, from }, n) => {
        const until = this.holdings[n + 1]?.from ?? Infinity
        return by !== write.by && from < write.until && write.from < until
      })
      return strangers.map(
        ({ from }) => `a write may arrive ${(write.until - from) / seconds(1)} s into another's time`,
      )
    })
  }

  get #alive(): readonly Process[] {
    return [...this.#processes, ...this.#leaving]
  }

  #start(): Process {
    const process = new Process(this)
    process.ended.catch((error: unknown) => this.faults.push(`a run failed: ${String(error)}`))
    return process
  }

  #note(): void {
    const by = this.#server.lease?.spec?.holderIdentity ?? ''
    if (by !== (this.holdings.at(-1)?.by ?? '')) this.holdings.push({ by, from: this.#time.elapsed() })
  }

  #probe(): void {
    for (const { leadership } of this.permitted) {
      if (leadership.identity !== this.holdings.at(-1)?.by) this.faults.push('who does not hold the Lease is permitted')
    }
  }
}
