import { randomBytes } from 'node:crypto'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { pathOf } from '../../src/kube/client.ts'
import { linesOf } from '../../src/kube/lines.ts'
import { ConfigMap, type Kind, Secret, StatefulSet } from '../../src/pure/kind.ts'
import { claimAnnotation } from '../../src/pure/names.ts'
import type { KubeObject, ObjectKey } from '../../src/pure/object.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { User } from '../kit/user.ts'

/** One version of one object, as the server told it. */
export interface Revision {
  readonly version: bigint
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubeObject
}

interface Fence {
  readonly kind: Kind
  readonly key: ObjectKey
  readonly spec?: object
}

const aName = (): string => `witness-${randomBytes(4).toString('hex')}`
const aKey = (): ObjectKey => ({ namespace: 'default', name: aName() })
const matchLabels = { 'test.holdfast.dev/witness': 'fence' }

/** Objects of its own: what it sees of them last, it has seen everything before. */
const fences = (): readonly Fence[] => [
  { kind: Secret, key: aKey() },
  { kind: ConfigMap, key: aKey() },
  // A selector that says nothing would match the services of all tests.
  { kind: LedgerClusterAgent, key: { name: aName() }, spec: { selector: { matchLabels } } },
  { kind: LedgerService, key: aKey(), spec: {} },
  {
    kind: StatefulSet,
    key: aKey(),
    spec: {
      serviceName: 'witness',
      replicas: 0,
      selector: { matchLabels },
      template: { metadata: { labels: matchLabels }, spec: { containers: [{ name: 'none', image: 'none' }] } },
    },
  },
]

/** Sees every revision of agents, services and what holds their keys or loads them, with an eye of its own: no cache and no informer of the product. */
export class Witness implements AsyncDisposable {
  /** The revisions of each run that is followed. */
  readonly #runs = new Map<string, Revision[]>()
  /** Up to where each kind has been seen. */
  readonly #newest = new Map<Kind, bigint>()
  readonly #end = new AbortController()
  readonly #user = new User(sharedConnection().port)
  readonly #fences = fences()
  #fault: unknown

  static async start(): Promise<Witness> {
    const witness = new Witness()
    await Promise.all(witness.#fences.map(({ kind }) => witness.#watch(kind)))
    for (const { kind, key, ...rest } of witness.#fences) {
      // Claimed by nobody, so that no operator of a test takes it up.
      await witness.#user.create(kind, { metadata: { ...key, annotations: { [claimAnnotation]: 'nobody' } }, ...rest })
    }
    return witness
  }

  /** From now on it keeps what it sees of this run. */
  follow(run: string): void {
    this.#runs.set(run, [])
  }

  /** All revisions of the objects of one run until now, in the order in which they came to be. The run is over. */
  async revisionsOf(run: string): Promise<readonly Revision[]> {
    await Promise.all(this.#fences.map((fence) => this.#passFence(fence)))
    const revisions = this.#runs.get(run)
    if (revisions === undefined) throw new Error(`the witness has not followed ${run}`)
    this.#runs.delete(run)
    return revisions.sort((a, b) => (a.version < b.version ? -1 : 1))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    for (const { kind, key } of this.#fences) await this.#user.delete(kind, key)
  }

  async #passFence({ kind, key }: Fence): Promise<void> {
    await this.#user.patch(kind, key, { metadata: { annotations: { now: randomBytes(8).toString('hex') } } })
    const fence = await sharedConnection().client.get(kind, key)
    const version = BigInt(fence?.metadata.resourceVersion ?? 0)
    await eventually('the witness has seen it all', () => {
      if (this.#fault !== undefined) throw this.#fault as Error
      return (this.#newest.get(kind) ?? 0n) >= version
    })
  }

  async #watch(kind: Kind): Promise<void> {
    const { client } = sharedConnection()
    const { resourceVersion } = await client.list(kind, {}, { limit: 1, extent: 'metadata' })
    void this.#read(kind, resourceVersion).catch((error: unknown) => {
      this.#fault = error
    })
  }

  /** The server may end a watch whose reader is slow; from the version that it came to nothing is missed. */
  async #read(kind: Kind, from: string): Promise<void> {
    for (let version = from; ; ) {
      const query = { watch: 'true', resourceVersion: version }
      const request = { method: 'GET', path: pathOf(kind, {}), query, accept: 'application/json' } as const
      const { body } = await sharedConnection().port.open(request, this.#end.signal)
      for await (const line of linesOf(body, (text) => text)) {
        const { type, object } = JSON.parse(line) as { type: Revision['type'] | 'ERROR'; object: KubeObject }
        if (type === 'ERROR') throw new Error(`the witness has missed something: ${line}`)
        version = object.metadata.resourceVersion
        this.#runs.get(runOf(object))?.push({ type, object, version: BigInt(version) })
        this.#newest.set(kind, BigInt(version))
      }
    }
  }
}

/** Whatever belongs to a run has its name at the end of its own, or of its namespace's. */
const runOf = ({ metadata: { namespace, name } }: KubeObject): string => (namespace ?? name).split('-').at(-1) ?? ''
