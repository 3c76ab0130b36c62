/** What one list is asked for: these values of its label, or everything; and for whom. */
export interface Batch {
  readonly values: ReadonlySet<string>
  readonly requests: ReadonlySet<string>
}

interface Waiting extends Batch {
  readonly values: Set<string>
  readonly requests: Set<string>
  readonly done: PromiseWithResolvers<void>
}

interface Lane {
  next: Waiting | undefined
  isRunning: boolean
}

/**
 * Live lists that several reconciles wait for. While one list runs, all that ask for the same wait for the next, and share
 * it: a list answers only those that asked before it began, because it is no newer than its beginning. So a hundred
 * reconciles that need a cluster-wide list cost the server a few of them.
 */
export class SharedLists {
  readonly #lanes = new Map<string, Lane>()

  /** Resolves when a list has run that began after this call. Lists of one lane run one after the other. */
  join(
    lane: string,
    { request, value }: { readonly request: string; readonly value: string | undefined },
    run: (batch: Batch) => Promise<void>,
  ): Promise<void> {
    const known = this.#lanes.get(lane) ?? { next: undefined, isRunning: false }
    this.#lanes.set(lane, known)
    const next = (known.next ??= { values: new Set(), requests: new Set(), done: Promise.withResolvers() })
    if (value !== undefined) next.values.add(value)
    next.requests.add(request)
    if (!known.isRunning) void this.#runAll(lane, known, run)
    return next.done.promise
  }

  async #runAll(name: string, lane: Lane, run: (batch: Batch) => Promise<void>): Promise<void> {
    lane.isRunning = true
    for (let batch = lane.next; batch !== undefined; batch = lane.next) {
      lane.next = undefined
      await run(batch).then(batch.done.resolve, batch.done.reject)
    }
    this.#lanes.delete(name)
  }
}
