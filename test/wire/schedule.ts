import { setImmediate } from 'node:timers/promises'
import type { createClient } from '../../src/kube/client.ts'
import type { Informer } from '../../src/kube/informer.ts'
import type { Clock } from '../../src/kube/clock.ts'
import type { ConnectionError } from '../../src/kube/port.ts'
import type { Store } from '../../src/kube/store.ts'
import type { Turnstile } from '../../src/kube/turnstile.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { milliseconds, seconds } from '../../src/pure/duration.ts'
import { type KubeObject, keyOf, printKey } from '../../src/pure/object.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { EventTrail } from './event-trail.ts'
import { callFaults, FaultyPort } from './faulty-port.ts'
import { ObjectServer, type Thing } from './object-server.ts'
import { Random } from './random.ts'
import { streamFaults } from './scripted-watch.ts'

/** The code under test, whole or with something taken out. */
export interface Subject {
  readonly Informer: typeof Informer
  readonly createClient: typeof createClient
  readonly ConnectionError: typeof ConnectionError
  readonly Turnstile: typeof Turnstile
}

const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
const label = 'example.com/ours'
const names = ['n', 'm', 'o', 'p', 'q', 'r'] as const
const longestRecovery = 60
const longestTurn = seconds(71)

/** One random schedule of writes and faults. Afterwards the cache must equal what a list shows; if not, it says how. */
export const runSchedule = async (seed: number, subject: Subject): Promise<string | undefined> => {
  const schedule = new Schedule(seed, subject)
  try {
    return await schedule.run()
  } finally {
    schedule.stop()
  }
}

class Schedule {
  readonly #random: Random
  readonly #server = new ObjectServer()
  readonly #clock = new TurnedClock()
  readonly #port: FaultyPort
  readonly #informer: Informer<Thing>
  readonly #trail: EventTrail
  readonly #stopped = new AbortController()
  /** Answers to our own writes that are still on their way. */
  #late: (() => void)[] = []
  #ended: string | undefined

  constructor(seed: number, { Informer, createClient, ConnectionError, Turnstile }: Subject) {
    this.#random = new Random(seed)
    const breakage = () => new ConnectionError('cut', { wasSent: true })
    const initialEvents = this.#random.pick(['known', 'known', 'known', 'unknown', 'endless'] as const)
    this.#port = new FaultyPort({ server: this.#server, random: this.#random, breakage }, initialEvents)
    const { signal } = this.#stopped
    const wires = {
      client: createClient(this.#port, signal),
      clock: busy(this.#clock, this.#random),
      signal,
      syncs: new Turnstile(1),
      onTrouble: () => undefined,
    }
    const inspector = this.#random.once(4) ? { inspector: { saw: () => undefined, left: () => undefined } } : {}
    const view = { kind: ConfigMap, choice: { label }, extent: 'whole', indexes: {}, ...inspector } as const
    this.#informer = new Informer<Thing>(view, undefined, wires)
    this.#trail = new EventTrail(this.#informer.store as unknown as Store<KubeObject>)
    this.#informer.run().then(
      () => (this.#ended = 'the informer ended'),
      (error: unknown) => (this.#ended = `the informer ended: ${String(error)}`),
    )
  }

  async run(): Promise<string | undefined> {
    for (let step = 12 + this.#random.below(30); step > 0; step -= 1) {
      this.#step()
      if (!this.#random.once(4)) await setImmediate()
    }
    if (this.#random.once(6)) this.#restore()
    this.#port.disarm()
    for (const answer of this.#late) answer()
    return (await this.#recovered()) ?? this.#ended ?? this.#trail.fault(this.#wanted())
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #recovered(): Promise<string | undefined> {
    for (let round = 0; round < longestRecovery; round += 1) {
      await setImmediate()
      if (print(this.#informer.store.list()) === print(this.#wanted())) return undefined
      const next = Math.min(this.#clock.untilNext ?? seconds(1), longestTurn)
      this.#clock.turn(milliseconds(Math.max(next, 1)))
    }
    return `the cache has\n${print(this.#informer.store.list())}\nbut the server has\n${print(this.#wanted())}`
  }

  #wanted(): readonly Thing[] {
    return this.#server.list().filter(({ metadata }) => metadata.labels?.[label] !== undefined)
  }

  #step(): void {
    const chance = this.#random.below(100)
    if (chance < 38) return this.#somebodyWrites()
    if (chance < 50) return this.#weWrite()
    if (chance < 58) return this.#weDelete()
    if (chance < 72) return this.#port.suffer(this.#random.pick(streamFaults))
    if (chance < 82) return this.#port.arm(this.#random.pick(callFaults))
    if (chance < 90) return this.#clock.turn(seconds(this.#random.below(80)))
    if (chance < 93) return this.#port.bookmark()
    if (chance < 96) return this.#server.tick()
    this.#server.compact()
  }

  #write(): Thing {
    const key = { namespace: 'a', name: this.#random.pick(names) }
    const text = this.#random.once(500) ? 'ä€😀'.repeat(50_000) : `ä€😀 ${this.#random.below(1000)}`
    return this.#server.put(key, { text }, this.#random.once(6) ? {} : { [label]: 'x' })
  }

  #somebodyWrites(): void {
    if (this.#random.once(3)) this.#server.delete({ namespace: 'a', name: this.#random.pick(names) })
    else this.#write()
  }

  /** A write of ours, whose answer may come late. */
  #weWrite(): void {
    const written = this.#write()
    this.#answer(() => {
      if (written.metadata.labels?.[label] !== undefined) return this.#informer.shown(written)
      this.#trail.expectNoneUpTo(written)
      this.#informer.store.left(written)
    })
  }

  /** We delete what we see, if it is still what we take it for. */
  #weDelete(): void {
    const seen = this.#random.pick(this.#informer.store.list())
    if (seen === undefined || this.#server.get(keyOf(seen))?.metadata.uid !== seen.metadata.uid) return
    const { uid } = seen.metadata
    this.#server.delete(keyOf(seen))
    this.#answer(() => {
      this.#trail.expectNoMore(uid)
      this.#informer.store.gone(printKey(keyOf(seen)), uid)
    })
  }

  /** Answers may be late, but come in the order of the questions. */
  #answer(takeIn: () => void): void {
    this.#late.push(takeIn)
    if (this.#random.once(2)) for (const late of this.#late.splice(0)) late()
  }

  /**
   * The storage is restored from a backup: what was on its way is lost, and what we know never was. It must stay behind us
   * until we look: versions that are given out a second time cannot be told from the first.
   */
  #restore(): void {
    this.#late = []
    this.#server.rewindBehind(Number(this.#informer.store.knowledge.latest), this.#random.below(6))
    this.#trail.forgiveRepetitions()
    this.#port.restart()
  }
}

/** Time passes while we compute, now and then so much that others must have their turn. */
const busy = (clock: TurnedClock, random: Random): Clock => ({
  now: () => clock.now(),
  elapsed() {
    if (random.once(3)) clock.block(seconds(0.01))
    return clock.elapsed()
  },
  after: (time, callback) => clock.after(time, callback),
})

const print = (things: readonly Thing[]): string =>
  things
    .map(
      ({ metadata, data }) =>
        `${metadata.name} ${metadata.uid}@${metadata.resourceVersion} ${data['text']?.slice(0, 20)} ${data['text']?.length}`,
    )
    .sort()
    .join('\n')
