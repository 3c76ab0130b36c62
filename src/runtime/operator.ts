import { createClient } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import { Cluster } from '../kube/cluster.ts'
import { discover, requireServed } from '../kube/discovery.ts'
import type { Informer } from '../kube/informer.ts'
import type { Port } from '../kube/port.ts'
import { keyOf, printKey } from '../pure/object.ts'
import type { Controller } from './controller.ts'
import { countCalls } from './in-flight.ts'
import { type Log, printError } from './log.ts'
import { Loop } from './loop.ts'
import { Queue } from './queue.ts'

export interface OperatorOptions {
  readonly port: Port
  readonly clock: Clock
  readonly log: Log
  readonly controller: Controller
}

/** A running operator. */
export interface Operator {
  /** What it keeps in view. */
  readonly informers: readonly Informer[]
  /** No pass is due or running and no call is on its way. */
  readonly isQuiet: boolean
  /** Looks at every object again. */
  resync(): void
  /** Takes up no new work, and ends what it has begun. */
  stop(): Promise<void>
}

// The API server is no faster with more writes at once.
const workers = 32

/** Starts a controller against a cluster; resolves when its first lists are in. */
export const startOperator = async ({ port, clock, log, controller }: OperatorOptions): Promise<Operator> => {
  const stopped = new AbortController()
  const { signal } = stopped
  const calls = countCalls(port)
  requireServed(
    await discover(calls.port, signal),
    controller.watches.map(({ view }) => view.kind),
  )
  const queue = new Queue(clock)
  const onTrouble = (error: unknown) => log.warn({ controller: controller.name }, printError(error))
  const client = createClient(calls.port, signal)
  const wake = (key: string) => {
    if (key !== cluster.cause) queue.add(key)
  }
  const cluster: Cluster = new Cluster({ client, clock, signal, onTrouble }, (requests) => {
    for (const key of requests) wake(key)
  })
  const informers = controller.watches.map(({ view, requests }) => {
    const informer = cluster.keepInView(view)
    informer.store.onChange((before, after) => {
      for (const object of [before, after]) {
        if (object === undefined) continue
        for (const key of requests(object, (kind, index, value) => cluster.find(kind, index, value))) wake(key)
      }
    })
    return informer
  })
  const primary = informers.find(({ view }) => view.kind === controller.reconciles)
  await Promise.all(informers.map(({ synced }) => synced))
  const loop = new Loop(controller, { cluster, queue, clock, log })
  const working = Array.from({ length: workers }, () => loop.work())

  return {
    get informers() {
      return cluster.informers
    },
    get isQuiet() {
      return queue.isEmpty && calls.inFlight === 0
    },
    resync() {
      for (const object of primary?.store.list() ?? []) queue.add(printKey(keyOf(object)), 'relist')
    },
    async stop() {
      queue.close()
      await Promise.all(working)
      stopped.abort()
    },
  }
}
