import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { pathOf } from '../../src/kube/client.ts'
import { linesOf } from '../../src/kube/lines.ts'
import { type Kind, Secret } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'

/** One version of one object, as the server told it. */
export interface Revision {
  readonly version: bigint
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: KubeObject
}

/** Sees every revision of every Secret and agent, with an eye of its own: no cache and no informer of the product. */
export class Witness implements Disposable {
  readonly #seen: Revision[] = []
  readonly #end = new AbortController()

  static async start(): Promise<Witness> {
    const witness = new Witness()
    await Promise.all([Secret, LedgerClusterAgent].map((kind) => witness.#watch(kind)))
    return witness
  }

  /** All revisions of the objects of one run, in the order in which they came to be. */
  async revisionsOf(run: string, last: readonly KubeObject[]): Promise<readonly Revision[]> {
    const newest = last.map(({ metadata }) => BigInt(metadata.resourceVersion))
    const ofRun = () =>
      this.#seen.filter(({ object }) => `${object.metadata.namespace ?? ''}/${object.metadata.name}`.includes(run))
    await eventually('the witness has seen it all', () =>
      newest.every((version) => this.#seen.some((seen) => seen.version === version)),
    )
    return ofRun().sort((a, b) => (a.version < b.version ? -1 : 1))
  }

  [Symbol.dispose](): void {
    this.#end.abort()
  }

  async #watch(kind: Kind): Promise<void> {
    const { port, client } = sharedConnection()
    const { resourceVersion } = await client.list(kind, {}, { limit: 1, extent: 'metadata' })
    const stream = await port.open(
      { method: 'GET', path: pathOf(kind, {}), query: { watch: 'true', resourceVersion }, accept: 'application/json' },
      this.#end.signal,
    )
    void this.#read(stream.body)
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const line of linesOf(body)) {
        const { type, object } = JSON.parse(line) as Omit<Revision, 'version'>
        this.#seen.push({ type, object, version: BigInt(object.metadata.resourceVersion) })
      }
    } catch (error) {
      if (!this.#end.signal.aborted) throw error
    }
  }
}
