import { eventually } from '../../src/dev/eventually.ts'
import { Lease } from '../../src/pure/kind.ts'
import type { LeaseObject, LeaseSpec } from '../../src/pure/lease.ts'
import { type Rival, startRival, workOf } from '../kit/rival.ts'
import { aSuite, type Suite } from '../kit/suite.ts'

interface Claim {
  readonly by: Rival
  readonly spec: LeaseSpec
}

// Longer than a lease, and than a busy machine takes to notice its end.
const patience = 45_000

/** Several operator processes with one Lease and one agent. */
export class Contest implements AsyncDisposable {
  readonly suite: Suite
  readonly rivals: Rival[] = []
  /** Everything that was written into the Lease, in this order. */
  readonly #claims: Claim[] = []

  constructor(suite: Suite) {
    this.suite = suite
  }

  async enter(): Promise<void> {
    const rival = await startRival(this.suite.operatorNamespace, ({ status, lease }) => {
      if (lease !== undefined && status < 300) this.#claims.push({ by: rival, spec: lease })
    })
    this.rivals.push(rival)
  }

  /** Who leads, when it is somebody else than before. */
  leader(before?: Rival): Promise<Rival> {
    const ask = () => {
      const { by, spec } = this.#claims.at(-1) ?? {}
      return by === before || spec?.holderIdentity === '' ? undefined : by
    }
    return eventually('somebody leads', ask, patience)
  }

  /** What a process has last written into the Lease. */
  lastClaimOf(rival: Rival): LeaseSpec {
    return this.#claims.findLast(({ by }) => by === rival)?.spec ?? {}
  }

  async lease(): Promise<LeaseSpec> {
    const lease = await this.suite.client.get<LeaseObject>(Lease, this.#lease)
    return lease?.spec ?? {}
  }

  /** Names one namespace more, and waits until the agent's key is there. */
  async serveAnother(role: string, others: readonly string[]): Promise<void> {
    await this.suite.createNamespaces(role)
    await this.suite.target([...others, role])
    await eventually(`there is a copy in ${role}`, () => this.suite.replica(role))
  }

  /** How often a key was made. */
  get mints(): number {
    const { name } = this.suite.canonicalKey()
    return this.rivals.flatMap(workOf).filter((done) => done.verb === 'create' && done.name === name).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const rival of this.rivals) await rival[Symbol.asyncDispose]()
    if (this.#claims.length > 0) await this.suite.user.delete(Lease, this.#lease)
    await this.suite[Symbol.asyncDispose]()
  }

  get #lease() {
    return { namespace: this.suite.operatorNamespace, name: 'holdfast' }
  }
}

export const aContest = async (size: number): Promise<Contest> => {
  const contest = new Contest(await aSuite(['a', 'b']))
  await Promise.all(Array.from({ length: size }, () => contest.enter()))
  return contest
}

/** Holds up a leader in the middle of its work: before it writes the copy of a namespace. */
export const holdUp = (rival: Rival, namespace: string) => {
  const reached = Promise.withResolvers<unknown>()
  const letGo = Promise.withResolvers<unknown>()
  rival.meddle = (request) => {
    if (request.verb !== 'create' || request.namespace !== namespace) return undefined
    return async (pass) => {
      reached.resolve(undefined)
      await letGo.promise
      return pass()
    }
  }
  return { reached: reached.promise, letGo: () => letGo.resolve(undefined) }
}

/** From one moment that a Lease tells of to another, in milliseconds. */
export const between = (one = '', other = ''): number => Date.parse(other) - Date.parse(one)
