import { eventually } from '../../src/dev/eventually.ts'
import { type Client, createClient } from '../../src/kube/client.ts'
import { Informer } from '../../src/kube/informer.ts'
import type { Port } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { type KubeObject, printKey } from '../../src/pure/object.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { User } from '../kit/user.ts'
import { EventTrail } from '../wire/event-trail.ts'
import { Random } from '../wire/random.ts'
import { FaultyLink, requestFaults, streamFaults } from './faulty-link.ts'

const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }

export interface Place {
  readonly port: Port
  readonly namespace: string
  /** A version of before the first write. */
  readonly beginning: string
}

/** Schedules of writes and faults one after the other, on one informer and on objects of its own. */
export class Chain implements Disposable {
  readonly link: FaultyLink
  readonly #random: Random
  readonly #names: readonly [string, ...string[]]
  readonly #label: string
  readonly #namespace: string
  readonly #clock = new TurnedClock()
  readonly #stopped = new AbortController()
  readonly #client: Client
  readonly #user: User
  readonly #informer: Informer
  readonly #trail: EventTrail
  /** Answers to our own writes that are still on their way. */
  #late: (() => void)[] = []

  constructor(seed: number, { port, namespace, beginning }: Place) {
    const { signal } = this.#stopped
    this.#random = new Random(seed)
    this.#namespace = namespace
    this.#label = `example.com/chain-${seed}`
    this.#names = [`n-${seed}`, `m-${seed}`, `o-${seed}`, `p-${seed}`]
    this.#client = createClient(port, signal)
    this.#user = new User(port)
    this.link = new FaultyLink(port, beginning)
    const client = createClient(this.link, signal)
    const wires = { client, clock: this.#clock, signal, syncs: new Turnstile(1), onTrouble: () => undefined }
    const inspector = this.#random.once(4) ? { inspector: { saw: () => undefined, left: () => undefined } } : {}
    const view = {
      kind: ConfigMap,
      choice: { label: this.#label },
      extent: 'whole',
      indexes: {},
      ...inspector,
    } as const
    this.#informer = new Informer(view, namespace, wires)
    this.#trail = new EventTrail(this.#informer.store)
    void this.#informer.run()
  }

  /** One schedule. Afterwards the cache must equal a list, and so must what it told; if not, it says how. */
  async run(): Promise<string | undefined> {
    for (let step = 6 + this.#random.below(10); step > 0; step -= 1) await this.#step()
    this.link.heal()
    for (const answer of this.#late.splice(0)) answer()
    await this.#recovered()
    return this.#trail.fault(await this.#listed())
  }

  [Symbol.dispose](): void {
    this.#stopped.abort()
  }

  async #step(): Promise<void> {
    const chance = this.#random.below(100)
    if (chance < 26) return this.#put()
    if (chance < 38) return this.#put({ isOurs: true })
    if (chance < 48) return this.#delete()
    if (chance < 74) return this.link.suffer(this.#random.pick(streamFaults))
    if (chance < 90) return this.link.arm(this.#random.pick(requestFaults))
    this.#clock.turn(seconds(this.#random.below(80)))
  }

  async #put({ isOurs = false } = {}): Promise<void> {
    const key = { namespace: this.#namespace, name: this.#random.pick(this.#names) }
    const labels = { [this.#label]: this.#random.once(6) ? null : 'x' }
    const change = { metadata: { labels }, data: { text: `ä€😀 ${this.#random.below(1000)}` } }
    if ((await this.#client.get(ConfigMap, key)) === undefined) await this.#user.create(ConfigMap, { metadata: key })
    await this.#user.patch(ConfigMap, key, change)
    const written = await this.#client.get(ConfigMap, key)
    if (isOurs && written !== undefined) this.#answer(() => this.#shown(written))
  }

  #shown(written: KubeObject): void {
    if (written.metadata.labels?.[this.#label] !== undefined) return this.#informer.shown(written)
    this.#trail.expectNoneUpTo(written)
    this.#informer.store.left(written)
  }

  /** We delete what we see, if it is still there. */
  async #delete(): Promise<void> {
    const seen = this.#random.pick(this.#informer.store.list())
    if (seen === undefined) return
    const { uid } = seen.metadata
    const isDeleted = await this.#client.delete(ConfigMap, seen.metadata, uid).then(
      () => true,
      () => false,
    )
    if (!isDeleted) return
    this.#answer(() => {
      this.#trail.expectNoMore(uid)
      this.#informer.store.gone(printKey(seen.metadata), uid)
    })
  }

  /** Answers may be late, but come in the order of the questions. */
  #answer(takeIn: () => void): void {
    this.#late.push(takeIn)
    if (this.#random.once(2)) for (const late of this.#late.splice(0)) late()
  }

  async #recovered(): Promise<void> {
    const wanted = print(await this.#listed())
    let looks = 0
    await eventually(`the cache has ${wanted}`, () => {
      looks += 1
      const isEqual = this.#informer.isSynced && print(this.#informer.store.list()) === wanted
      // Lines that were sent take a moment to arrive; what does not arrive needs time to be missed.
      const next = this.#clock.untilNext ?? seconds(1)
      if (!isEqual && (next <= seconds(30) || looks % 20 === 0)) this.#clock.turn(milliseconds(Math.max(next, 1)))
      return isEqual
    })
  }

  async #listed(): Promise<readonly KubeObject[]> {
    const selection = { namespace: this.#namespace, labelSelector: this.#label }
    return (await this.#client.list(ConfigMap, selection)).items
  }
}

const print = (objects: readonly (KubeObject & { readonly data?: object })[]): string =>
  objects
    .map(({ metadata, data }) => `${metadata.uid}@${metadata.resourceVersion} ${JSON.stringify(data)}`)
    .sort()
    .join('\n')
