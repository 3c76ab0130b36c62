import { setImmediate } from 'node:timers/promises'
import { type Client, createClient } from '../../src/kube/client.ts'
import { Informer, type Wires } from '../../src/kube/informer.ts'
import { ConnectionError, type WireRequest } from '../../src/kube/port.ts'
import { Turnstile } from '../../src/kube/turnstile.ts'
import type { View } from '../../src/kube/view.ts'
import { type Duration, milliseconds } from '../../src/pure/duration.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { TurnedClock } from '../kit/turned-clock.ts'
import { FaultyPort, type InitialEvents } from './faulty-port.ts'
import { ObjectServer, type Thing } from './object-server.ts'
import { Random } from './random.ts'

export const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
export const label = 'example.com/ours'

/** With an inspector everything comes by paged lists. */
export const listed = { inspector: { saw: () => undefined, left: () => undefined } }

/** An informer at work, and what it told. */
interface Observed {
  readonly informer: Informer<Thing>
  /** As `before → after`, with versions. */
  readonly changes: string[]
  readonly troubles: string[]
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  stop(): void
}

interface Options {
  readonly initialEvents?: InitialEvents
  readonly syncsAtOnce?: number
}

/** A scripted server, informers on it, and the clock in the test's hand. */
export class WatchedServer implements Disposable {
  readonly clock = new TurnedClock()
  readonly server = new ObjectServer()
  readonly port: FaultyPort
  readonly client: Client
  readonly #syncs: Turnstile
  readonly #stopped = new AbortController()

  constructor({ initialEvents = 'known', syncsAtOnce = 4 }: Options = {}) {
    const breakage = () => new ConnectionError('cut', { wasSent: true })
    this.port = new FaultyPort({ server: this.server, random: new Random(1), breakage }, initialEvents)
    this.client = createClient(this.port, new AbortController().signal)
    this.#syncs = new Turnstile(syncsAtOnce)
  }

  /** One of ours, in namespace a. */
  put(name: string, text = 'x'): Thing {
    return this.server.put({ namespace: 'a', name }, { text }, { [label]: 'x' })
  }

  delete(name: string): void {
    this.server.delete({ namespace: 'a', name })
  }

  /** What informers are made with. */
  wires(onTrouble: (error: unknown) => void = () => undefined): Wires {
    const { client, clock } = this
    return { client, clock, signal: this.#stopped.signal, syncs: this.#syncs, onTrouble }
  }

  /** An informer that has just begun. */
  start(view: Partial<View<Thing>> = {}): Observed {
    const stop = new AbortController()
    const changes: string[] = []
    const troubles: string[] = []
    const wires = this.wires((error) => void troubles.push(String(error)))
    const signal = AbortSignal.any([wires.signal, stop.signal])
    const what: View<Thing> = { kind: ConfigMap, choice: { label }, extent: 'whole', indexes: {}, ...view }
    const informer = new Informer<Thing>(what, undefined, { ...wires, signal })
    informer.store.onChange((before, after) => void changes.push(`${print(before)} → ${print(after)}`))
    return { informer, changes, troubles, ended: informer.run(), stop: () => stop.abort() }
  }

  /** An informer that has everything. */
  async observe(view: Partial<View<Thing>> = {}): Promise<Observed> {
    const observed = this.start(view)
    await this.settle()
    return observed
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 5; turns += 1) await setImmediate()
  }

  /** Lets time pass, and what happens in it. */
  async pass(time: Duration): Promise<void> {
    this.clock.turn(time)
    await this.settle()
  }

  /** Lets time pass until somebody has waited for long enough, and says how long that was. */
  async passPause(): Promise<Duration> {
    const pause = this.clock.untilNext ?? milliseconds(0)
    await this.pass(pause)
    return pause
  }

  /** Every request so far, in short. */
  get asked(): readonly string[] {
    return this.port.requests.map(printRequest)
  }

  [Symbol.dispose](): void {
    this.#stopped.abort()
  }
}

/** The text that each object has, by name. */
export const textsOf = ({ informer }: Pick<Observed, 'informer'>): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(informer.store.list().map(({ metadata, data }) => [metadata.name, data['text']]))

const printRequest = ({ query }: WireRequest): string => {
  if (query['watch'] !== 'true') return query['continue'] === undefined ? 'list' : 'next page'
  return query['sendInitialEvents'] === 'true' ? 'watch all' : `watch from ${query['resourceVersion']}`
}

const print = (thing: Thing | undefined): string =>
  thing === undefined ? '-' : `${thing.metadata.name}@${thing.metadata.resourceVersion}`
