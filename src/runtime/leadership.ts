import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { isApiError } from '../kube/api-error.ts'
import { type Clock, waitFor } from '../kube/clock.ts'
import type { Port } from '../kube/port.ts'
import { type Duration, milliseconds } from '../pure/duration.ts'
import type { LeaseObject } from '../pure/lease.ts'
import { type ObjectKey, printKey } from '../pure/object.ts'
import { boundCalls } from './bounded-port.ts'
import { type CandidacyMeans, standBy, type Won } from './candidacy.ts'
import { LeaseRecord } from './lease-record.ts'
import { LeadershipLog } from './leadership-log.ts'
import type { Log } from './log.ts'
import { LeadershipLost, type LeaseTimes, leaseTimes, momentOn, type Term } from './term.ts'

export interface LeadershipOptions {
  /** For the Lease alone. A port on which writes wait for leadership would wait for itself. */
  readonly port: Port
  readonly clock: Clock
  readonly log: Log
  readonly lease: ObjectKey
  readonly times?: LeaseTimes
  /** Evenly from 0 up to 1: keeps candidates from looking all at once. */
  readonly random?: () => number
}

/**
 * The work of a leader. It is asked to end by the signal, and goes on to lead until it has: it must start nothing new
 * then, and end what it has begun. Returning earlier gives leadership up for good; failing, for any reason but the
 * signal's own, makes the whole run fail.
 */
export type Lead = (until: AbortSignal) => Promise<void>

const never = new AbortController().signal

/** At most one process leads: the one that holds the Lease. Who loses it drains and contends again, without a restart. */
export class Leadership {
  readonly identity: string
  readonly #means: CandidacyMeans
  #term: Term | undefined

  constructor({ port, clock, log, lease, times = leaseTimes, random = Math.random }: LeadershipOptions) {
    this.identity = `${hostname()}_${randomBytes(8).toString('hex')}`
    const candidate = { identity: this.identity, duration: times.lease }
    this.#means = {
      candidate,
      record: new LeaseRecord(lease, candidate, { port: boundCalls(port, clock, times.write), clock }),
      clock,
      times,
      log: new LeadershipLog(log, printKey(lease), candidate),
      random,
    }
  }

  /** Whether what takes at most so long may start now: nobody else leads before it has ended. */
  permit(timeout: Duration): boolean {
    return this.#term?.permit(timeout) ?? false
  }

  /** Resolves when it may start, which a late renewal delays; fails when leadership is lost. */
  async permitted(timeout: Duration, signal: AbortSignal): Promise<void> {
    if (this.#term === undefined) throw new LeadershipLost('it does not hold the Lease')
    await this.#term.permitted(timeout, signal)
  }

  /** Contends, leads, and contends again, until it is asked to stop; then it has drained and released the Lease. */
  async run(lead: Lead, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const won = await standBy(this.#means, stop)
      if (won === undefined || !(await this.#serve(won, lead, stop))) return
    }
  }

  /** Whether to contend again. */
  async #serve({ term, lease }: Won, lead: Lead, stop: AbortSignal): Promise<boolean> {
    const { log } = this.#means
    const until = AbortSignal.any([term.lost, stop])
    const drained = new AbortController()
    this.#term = term
    log.leading()
    term.lost.addEventListener('abort', () => log.lost(term.lost.reason), { once: true })
    const renewing = this.#renewUntil(drained.signal, term, lease)
    try {
      if (!until.aborted) await lead(until)
    } catch (error) {
      if (!until.aborted || error !== until.reason) throw error
    } finally {
      drained.abort()
      await this.#leave(term, await renewing)
    }
    return term.lost.aborted
  }

  /** Keeps the Lease until the work has drained or the term is lost; returns it as it was last seen. */
  async #renewUntil(drained: AbortSignal, term: Term, lease: LeaseObject): Promise<LeaseObject> {
    const over = AbortSignal.any([term.lost, drained])
    const { clock, times } = this.#means
    let latest = lease
    let pause = times.renewal
    for (;;) {
      await waitFor(clock, pause, over)
      if (over.aborted) return latest
      const started = clock.elapsed()
      latest = await this.#renew(term, latest)
      pause = milliseconds(Math.max(0, started + times.renewal - clock.elapsed()))
    }
  }

  async #renew(term: Term, lease: LeaseObject): Promise<LeaseObject> {
    const { record, clock, log } = this.#means
    const sent = momentOn(clock)
    term.look()
    try {
      const renewed = await record.claim(lease, term.lost)
      term.renewed(sent)
      log.noTrouble()
      return renewed
    } catch (error) {
      if (term.lost.aborted) return lease
      log.trouble(error)
      return isApiError(error, 'conflict', 'ambiguous') ? this.#readBack(term, lease) : lease
    }
  }

  /** A renewal that was refused may follow on one of our own whose reply was lost; or somebody else holds the Lease. */
  async #readBack(term: Term, lease: LeaseObject): Promise<LeaseObject> {
    const { record, log } = this.#means
    try {
      const found = await record.read(term.lost)
      if (record.isOurs(found)) return found
      term.lose(log.printHolder(found))
    } catch (error) {
      if (!term.lost.aborted) log.trouble(error)
    }
    return lease
  }

  async #leave(term: Term, lease: LeaseObject): Promise<void> {
    const { log } = this.#means
    term.look()
    term.close()
    this.#term = undefined
    if (term.lost.aborted) return
    try {
      await this.#release(lease)
      log.released()
    } catch (error) {
      log.notReleased(error)
    }
  }

  async #release(lease: LeaseObject): Promise<void> {
    const { record } = this.#means
    try {
      await record.release(lease, never)
    } catch (error) {
      if (!isApiError(error, 'conflict', 'ambiguous')) throw error
      const found = await record.read(never)
      if (record.isOurs(found)) await record.release(found, never)
    }
  }
}
