import type { Candidate, LeaseObject } from '../pure/lease.ts'
import { whoHolds } from '../pure/lease.ts'
import { type Log, printError } from './log.ts'

/** Says what becomes of leadership: a line for each change, and none for what goes on as before. */
export class LeadershipLog {
  readonly #log: Log
  readonly #facts: { readonly lease: string; readonly identity: string }
  readonly #candidate: Candidate
  #standing: string | undefined
  readonly #troubles = new Set<string>()

  constructor(log: Log, lease: string, candidate: Candidate) {
    this.#log = log
    this.#facts = { lease, identity: candidate.identity }
    this.#candidate = candidate
  }

  /** A call about the Lease has failed; said once until one succeeds. */
  trouble(error: unknown): void {
    const message = printError(error)
    if (!this.#troubles.has(message)) this.#log.warn(this.#facts, message)
    this.#troubles.add(message)
  }

  noTrouble(): void {
    this.#troubles.clear()
  }

  standingBy(lease: LeaseObject | undefined): void {
    const message = `standing by: ${this.printHolder(lease)}`
    if (message !== this.#standing) this.#log.info(this.#facts, message)
    this.#standing = message
  }

  leading(): void {
    this.#standing = undefined
    this.#log.info(this.#facts, 'leading')
  }

  lost(reason: unknown): void {
    this.#log.warn(this.#facts, printError(reason))
  }

  released(): void {
    this.#log.info(this.#facts, 'released the Lease')
  }

  notReleased(error: unknown): void {
    this.#log.warn(this.#facts, `the Lease is left to run out: ${printError(error)}`)
  }

  printHolder(lease: LeaseObject | undefined): string {
    if (lease === undefined) return 'there is no Lease'
    const holding = whoHolds(lease, this.#candidate)
    if (holding.is !== 'held') return `the Lease is ${holding.is}`
    return `${holding.by ?? 'somebody unnamed'} holds the Lease`
  }
}
