import { seconds } from '../../pure/duration.ts'

/** Changes to several agents that come within this time of each other cost one rolling restart. */
const settlingTime = seconds(5)

interface Wished {
  readonly fingerprint: string
  readonly since: number
}

/** Since when each service has wanted the key list that it wants. After a restart the wait begins anew. */
export class Settling {
  readonly #wished = new Map<string, Wished>()

  /** Until when to wait with this list; undefined when it has been wanted for long enough. */
  settlesAt(service: string, fingerprint: string, now: number): number | undefined {
    const known = this.#wished.get(service)
    const { since } = known?.fingerprint === fingerprint ? known : this.#begin(service, { fingerprint, since: now })
    const end = since + settlingTime
    return now < end ? end : undefined
  }

  forget(service: string): void {
    this.#wished.delete(service)
  }

  #begin(service: string, wished: Wished): Wished {
    this.#wished.set(service, wished)
    return wished
  }
}
