import type { InView } from '../kube/in-view.ts'
import { keyOf, printKey } from '../pure/object.ts'
import type { Controller } from './controller.ts'
import { Loop, type LoopMeans } from './loop.ts'
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
          for (const key of requests(object, (kind, index, value) => cluster.find(kind, index, value))) this.wake(key)
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
    const primary = this.#inView.find(({ view }) => view.kind === this.controller.reconciles)
    for (const object of primary?.list() ?? []) this.queue.add(printKey(keyOf(object)), 'relist')
  }

  async detach(): Promise<void> {
    this.#detached.abort()
    this.queue.close()
    await this.#working
    for (const { view } of this.#inView) this.#means.cluster.loseSightOf(view.kind)
  }

  async #syncedOr(signal: AbortSignal): Promise<void> {
    await Promise.race([Promise.all(this.#inView.map((inView) => inView.synced())), raised(signal)])
  }
}
