import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Lets one reconcile begin in each turn of the event loop. Many that begin in the same turn would compute one after the
 * other, and probes and renewals of the Lease would wait for the last of them.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves when it is this caller's turn, in the order of the calls. */
  async next(): Promise<void> {
    const turn = this.#last.then(() => nextTurn())
    this.#last = turn
    await turn
  }
}
