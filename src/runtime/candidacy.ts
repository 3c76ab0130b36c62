import { isApiError } from '../kube/api-error.ts'
import { type Clock, waitFor } from '../kube/clock.ts'
import { milliseconds } from '../pure/duration.ts'
import { type Candidate, isFree, type LeaseObject, sight, type Sighting } from '../pure/lease.ts'
import type { LeadershipLog } from './leadership-log.ts'
import type { LeaseRecord } from './lease-record.ts'
import { type LeaseTimes, momentOn, Term } from './term.ts'

/** The term, and the Lease as it was when the term began. */
export interface Won {
  readonly term: Term
  readonly lease: LeaseObject
}

export interface CandidacyMeans {
  readonly candidate: Candidate
  readonly record: LeaseRecord
  readonly clock: Clock
  readonly times: LeaseTimes
  readonly log: LeadershipLog
  readonly random: () => number
}

const never = new AbortController().signal

/** Looks at the Lease again and again until it is free, and takes it; undefined when asked to stop. */
export const standBy = async (means: CandidacyMeans, stop: AbortSignal): Promise<Won | undefined> => {
  const { candidate, record, clock, times, log, random } = means
  let sighting: Sighting | undefined
  while (!stop.aborted) {
    try {
      const found = await record.read(stop)
      sighting = sight(sighting, found, clock.elapsed())
      if (isFree(sighting, candidate, clock.elapsed())) return await claim(sighting, means)
      log.noTrouble()
      log.standingBy(sighting.lease)
    } catch (error) {
      // Somebody else was faster, or it is unclear who holds the Lease: the next look tells.
      if (error !== stop.reason && !isApiError(error, 'conflict')) log.trouble(error)
    }
    // Shorter than the time from one renewal to the next, so that a released Lease is taken up within that.
    await waitFor(clock, milliseconds(times.renewal * (0.5 + 0.4 * random())), stop)
  }
  return undefined
}

const claim = async ({ lease, isGone }: Sighting, { record, clock, times }: CandidacyMeans): Promise<Won> => {
  const sent = momentOn(clock)
  // Not called off by a stop: what was claimed must be released.
  const claimed = await record.claim(isGone ? undefined : lease, never)
  const term = new Term(clock, times, sent)
  term.lost.throwIfAborted()
  return { term, lease: claimed }
}
