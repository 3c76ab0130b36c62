import { type Duration, seconds } from './duration.ts'
import type { KubeObject } from './object.ts'

export interface LeaseSpec {
  readonly holderIdentity?: string
  readonly leaseDurationSeconds?: number
  readonly acquireTime?: string
  readonly renewTime?: string
  readonly leaseTransitions?: number
}

export interface LeaseObject extends KubeObject {
  readonly spec?: LeaseSpec
}

/** Somebody who wants to hold the Lease. */
export interface Candidate {
  /** Nobody else's, not even that of the same program before its restart. */
  readonly identity: string
  /** How long the others leave the Lease alone after it last changed. */
  readonly duration: Duration
}

export type Holding =
  | { readonly is: 'ours' | 'released' }
  | { readonly is: 'held'; readonly by: string | undefined; readonly for: Duration }

/** What a Lease says to a candidate. One that cannot be read is held: by somebody, for as long as we would hold it. */
export const whoHolds = ({ spec = {} }: LeaseObject, candidate: Candidate): Holding => {
  const { holderIdentity, leaseDurationSeconds = 0, renewTime = '' } = spec
  if (holderIdentity === '') return { is: 'released' }
  if (holderIdentity === candidate.identity) return { is: 'ours' }
  const isReadable = holderIdentity !== undefined && leaseDurationSeconds > 0 && !Number.isNaN(Date.parse(renewTime))
  return { is: 'held', by: holderIdentity, for: isReadable ? seconds(leaseDurationSeconds) : candidate.duration }
}

/** The Lease as it was last there, and since when, on the clock of who looks, it has not been seen to change or go. */
export interface Sighting {
  readonly lease: LeaseObject | undefined
  readonly since: number
  readonly isGone: boolean
}

/** Takes in what a look has shown. A Lease that somebody deleted is not released: its holder may not know yet. */
export const sight = (before: Sighting | undefined, lease: LeaseObject | undefined, at: number): Sighting => {
  if (lease === undefined) return before?.isGone === true ? before : { lease: before?.lease, since: at, isGone: true }
  const isUnchanged =
    before?.lease?.metadata.uid === lease.metadata.uid &&
    before.lease.metadata.resourceVersion === lease.metadata.resourceVersion
  return { lease, since: isUnchanged ? before.since : at, isGone: false }
}

/** Nobody has it, or who has it has been silent for as long as the Lease allows. Nobody's wall clock is asked. */
export const isFree = ({ lease, since }: Sighting, candidate: Candidate, at: number): boolean => {
  if (lease === undefined) return true
  const holding = whoHolds(lease, candidate)
  return holding.is !== 'held' || at - since >= holding.for
}

/** What makes the candidate the holder. `now` is for people to read. */
export const claimed = (lease: LeaseObject | undefined, candidate: Candidate, now: number): LeaseSpec => {
  const { holderIdentity, acquireTime, leaseTransitions } = lease?.spec ?? {}
  const isOurs = holderIdentity === candidate.identity
  const handOvers = lease === undefined || isOurs ? 0 : 1
  return {
    holderIdentity: candidate.identity,
    leaseDurationSeconds: Math.ceil(candidate.duration / seconds(1)),
    acquireTime: isOurs && acquireTime !== undefined ? acquireTime : microTime(now),
    renewTime: microTime(now),
    leaseTransitions: (leaseTransitions ?? 0) + handOvers,
  }
}

/** The candidate's own record without a holder. */
export const released = (lease: LeaseObject, candidate: Candidate, now: number): LeaseSpec => ({
  ...claimed(lease, candidate, now),
  holderIdentity: '',
})

/** Six digits of a second, as Kubernetes writes and expects it here. */
const microTime = (now: number): string => new Date(now).toISOString().replace('Z', '000Z')
