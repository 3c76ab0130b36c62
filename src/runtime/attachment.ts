import type { Asker, Ref } from '../kube/cluster.ts'
import type { InView } from '../kube/in-view.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import type { Controller } from './controller.ts'
import { type Considered, Loop, type LoopMeans } from './loop.ts'
import { Queue } from './queue.ts'
import { raised } from './raised.ts'

/** One controller attached to the cluster: its views, its queue and its workers. */
export class Attachment {
  readonly controller: Controller
  readonly queue: Queue
  readonly #means: Omit<LoopMeans, 'queue'>
  readonly #inView: readonly InView[]
  readonly #loop: Loop
  readonly #detached = new AbortController()
  #working: Promise<unknown> = Promise.resolve()

  constructor(controller: Controller, means: Omit<LoopMeans, 'queue'>) {
    const { cluster, clock } = means
    this.controller = controller
    this.#means = means
    this.queue = new Queue(clock)
    this.#loop = new Loop(controller, { ...means, queue: this.queue })
    this.#inView = controller.watches.map(({ view, requests }) => {
      const inView = cluster.keepInView(view)
      inView.onChange((before, after) => {
        for (const object of [before, after]) {
          if (object === undefined) continue
          for (const key of requests(object, cluster)) this.wake(key)
        }
      })
      return inView
    })
  }

  /** Asks for a pass, unless it is the one that caused this. */
  wake(key: string): void {
    if (key !== this.#means.cluster.cause) this.queue.add(key)
  }

  /** Resolves when everything is in view, or never will be because it was detached. */
  async synced(): Promise<void> {
    await this.#syncedOr(this.#detached.signal)
  }

  /** Works until the signal is raised or it is detached, and ends what it has begun. */
  async work(until: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([until, this.#detached.signal])
    await this.#syncedOr(signal)
    const workers = Array.from({ length: this.controller.concurrency }, () => this.#loop.work(signal))
    this.#working = Promise.all(workers)
    await this.#working
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
  consider(key: string): Promise<Considered | undefined> {
    return this.#loop.consider(key, this.#askerFor(key))
  }

  /** An object as it is in view, which may be its metadata alone. */
  look({ kind, key }: Ref): KubeObject | undefined {
    return this.#means.cluster.get(kind, key)
  }

  /** Reads an object live, on behalf of this key: from then on it is in view, whatever its labels. */
  refresh(key: string, ref: Ref): Promise<void> {
    return this.#means.cluster.refresh(ref, this.#askerFor(key))
  }

  async detach(): Promise<void> {
    this.#detached.abort()
    this.queue.close()
    await this.#working
    for (const { view } of this.#inView) this.#means.cluster.loseSightOf(view.kind)
  }

  #askerFor(key: string): Asker {
    return { request: key, client: this.#means.client }
  }

  async #syncedOr(signal: AbortSignal): Promise<void> {
    await Promise.race([Promise.all(this.#inView.map((inView) => inView.synced())), raised(signal)])
  }
}
