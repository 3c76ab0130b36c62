import { type Client, createClient } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import type { Port } from '../kube/port.ts'
import { Lease } from '../pure/kind.ts'
import { type Candidate, claimed, type LeaseObject, type LeaseSpec, released, whoHolds } from '../pure/lease.ts'
import { type ObjectKey, preconditionOf, printKey } from '../pure/object.ts'

// The same for every candidate, so that the next one takes over all fields of the last.
const manager = 'holdfast-lease'

/** The Lease in the cluster. A write is refused unless the Lease is still what it was decided on. */
export class LeaseRecord {
  readonly #port: Port
  readonly #clock: Clock
  readonly #key: ObjectKey
  readonly #candidate: Candidate

  constructor(key: ObjectKey, candidate: Candidate, means: { readonly port: Port; readonly clock: Clock }) {
    this.#key = key
    this.#candidate = candidate
    this.#port = means.port
    this.#clock = means.clock
  }

  read(signal: AbortSignal): Promise<LeaseObject | undefined> {
    return this.#client(signal).get<LeaseObject>(Lease, this.#key)
  }

  /** Makes us the holder of the Lease as it was seen, or of a new one. */
  async claim(seen: LeaseObject | undefined, signal: AbortSignal): Promise<LeaseObject> {
    const lease = await this.#write(seen, claimed(seen, this.#candidate, this.#clock.now()), signal)
    if (!this.isOurs(lease)) throw new Error(`the answer to our claim on Lease ${printKey(this.#key)} is not our claim`)
    return lease
  }

  release(seen: LeaseObject, signal: AbortSignal): Promise<LeaseObject> {
    return this.#write(seen, released(seen, this.#candidate, this.#clock.now()), signal)
  }

  isOurs(lease: LeaseObject | undefined): lease is LeaseObject {
    return lease !== undefined && whoHolds(lease, this.#candidate).is === 'ours'
  }

  #write(seen: LeaseObject | undefined, spec: LeaseSpec, signal: AbortSignal): Promise<LeaseObject> {
    const client = this.#client(signal)
    const lease = { metadata: { namespace: this.#key.namespace, name: this.#key.name }, spec }
    return seen === undefined
      ? client.create(Lease, lease, manager)
      : client.apply(Lease, lease, preconditionOf(seen), manager)
  }

  #client(signal: AbortSignal): Client {
    return createClient(this.#port, signal)
  }
}
