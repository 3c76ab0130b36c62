import { type Asker, Cluster, type ClusterOptions, type Ref } from '../kube/cluster.ts'
import type { Client } from '../kube/client.ts'
import type { InView } from '../kube/in-view.ts'
import type { Informer } from '../kube/informer.ts'
import type { Assumptions } from '../kube/reads.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import type { Controller, Watched } from './controller.ts'
import { type Log, printError } from './log.ts'
import { type Considered, Loop, type LoopMeans } from './loop.ts'
import { Queue } from './queue.ts'
import { raised } from './raised.ts'

/** What an operator shares among its controllers. */
export type AttachmentMeans = Omit<LoopMeans, 'queue' | 'cluster' | 'operatorNamespace'> &
  Omit<ClusterOptions, 'onFollowedChange'>

/**
 * One controller attached to the cluster: its views, its queue and its workers. Controllers may keep the same kind in
 * view, each as much of it as it needs; they share no cache, and meet in the cluster.
 */
export class Attachment {
  readonly controller: Controller
  readonly queue: Queue
  readonly #client: Client
  readonly #log: Log
  readonly #cluster: Cluster
  readonly #inView: readonly InView[]
  readonly #loop: Loop
  readonly #detached = new AbortController()
  #working: Promise<unknown> = Promise.resolve()

  constructor(controller: Controller, means: AttachmentMeans) {
    const { wires, scope, onCollapse, ...shared } = means
    this.controller = controller
    this.#client = means.client
    this.#log = means.log
    this.queue = new Queue(means.clock)
    this.queue.suspend()
    const onFollowedChange = (keys: ReadonlySet<string>) => this.#wake(keys)
    this.#cluster = new Cluster({ wires, scope, onCollapse, onFollowedChange })
    const operatorNamespace = scope.own
    this.#loop = new Loop(controller, { ...shared, operatorNamespace, cluster: this.#cluster, queue: this.queue })
    this.#inView = controller.watches.map(({ view, requests }) => {
      const inView = this.#cluster.keepInView(view)
      inView.onChange((before, after) => {
        for (const object of [before, after]) if (object !== undefined) this.#wake(this.#requestsFor(object, requests))
      })
      return inView
    })
  }

  get informers(): readonly Informer[] {
    return this.#cluster.informers
  }

  /** An object that a mapping fails on asks for no reconcile. Nothing that somebody wrote may end an informer. */
  #requestsFor(object: KubeObject, requests: Watched['requests']): readonly string[] {
    try {
      return requests(object, this.#cluster)
    } catch (error) {
      const { name: controller } = this.controller
      const facts = { controller, kind: object.kind, object: printKey(keyOf(object)), err: printError(error) }
      this.#log.error(facts, 'cannot map the object to requests')
      return []
    }
  }

  /** Asks for passes, but not for the one that caused this. */
  #wake(keys: Iterable<string>): void {
    for (const key of keys) if (!this.#cluster.isCausedBy(key)) this.queue.add(key)
  }

  /** Resolves when everything is in view, or never will be because it was detached. */
  async synced(): Promise<void> {
    await this.#syncedOr(this.#detached.signal)
  }

  /**
   * Works until the signal is raised or it is detached, and ends what it has begun. Before and after that nothing is
   * queued: every object is when it begins.
   */
  async work(until: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([until, this.#detached.signal])
    if (signal.aborted) return
    this.queue.resume()
    this.resync()
    await this.#syncedOr(signal)
    const workers = Array.from({ length: this.controller.concurrency }, () => this.#loop.work(signal))
    this.#working = Promise.all(workers)
    await this.#working
    this.queue.suspend()
  }

  /** Looks at every object again. */
  resync(): void {
    for (const key of this.keys) this.queue.add(key, 'relist')
  }

  /** Every object that it reconciles. */
  get keys(): readonly string[] {
    const primary = this.#inView.find(({ view }) => view.kind === this.controller.reconciles)
    return (primary?.list() ?? []).map((object) => printKey(keyOf(object)))
  }

  /** What a pass would see and decide now; nothing of it is done. */
  consider(key: string, assumed?: Assumptions): Promise<Considered | undefined> {
    return this.#loop.consider(key, this.#askerFor(key), assumed)
  }

  /** An object as it is in view, which may be its metadata alone. */
  look({ kind, key }: Ref): KubeObject | undefined {
    return this.#cluster.get(kind, key)
  }

  /** Reads an object live, on behalf of this key: from then on it is in view, whatever its labels. */
  async refresh(key: string, ref: Ref): Promise<void> {
    await this.#cluster.refresh(ref, this.#askerFor(key))
  }

  async detach(): Promise<void> {
    this.#detached.abort()
    this.queue.close()
    await this.#working
    this.#cluster.close()
  }

  #askerFor(key: string): Asker {
    return { request: key, client: this.#client }
  }

  async #syncedOr(signal: AbortSignal): Promise<void> {
    await Promise.race([Promise.all(this.#inView.map((inView) => inView.synced())), raised(signal)])
  }
}
