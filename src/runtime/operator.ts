import { type Client, createClient } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import { declaredClient } from '../kube/declared-client.ts'
import type { Informer, Wires } from '../kube/informer.ts'
import type { Port } from '../kube/port.ts'
import { Turnstile } from '../kube/turnstile.ts'
import type { Right } from '../pure/rights.ts'
import type { Scope } from '../pure/scope.ts'
import { Attachment, type AttachmentMeans } from './attachment.ts'
import type { Controller } from './controller.ts'
import { DeclaredStatus } from './declared-status.ts'
import { EventRecorder } from './events.ts'
import { countCalls } from './in-flight.ts'
import { type Log, printError } from './log.ts'
import type { Meter } from './meter.ts'
import { meteredClient } from './metered-client.ts'
import { raised } from './raised.ts'
import { rightsOf } from './rights.ts'
import { ServedKinds } from './served-kinds.ts'
import { Turns } from './turns.ts'

export interface OperatorOptions {
  readonly port: Port
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  readonly scope: Scope
  readonly controllers: readonly Controller[]
  /** What it may do to the cluster; absent: all that its controllers need. */
  readonly rights?: readonly Right[]
  /** Hears what goes wrong with a view, which goes on by itself; absent: it is logged. */
  readonly onTrouble?: (error: unknown) => void
  /** Names this process among those that run the same controllers. */
  readonly instance: string
  /** Calls `lead` whenever this process shall work, until the signal it gives; resolves when `stop` is raised and all is done. */
  readonly whenLeading: (lead: (until: AbortSignal) => Promise<void>, stop: AbortSignal) => Promise<void>
}

// Enough to keep a server busy, few enough to let it live.
const syncsAtOnce = 4

/** Controllers at work on a cluster, as far as it serves their kinds. */
export class Operator {
  readonly #options: OperatorOptions
  readonly #served: ServedKinds
  readonly #means: AttachmentMeans
  readonly #calls: { readonly inFlight: number }
  readonly #attachments = new Map<Controller, Attachment>()
  /** By controller: why it waits, so that it is said once. */
  readonly #obstacles = new Map<Controller, string>()
  readonly #stopAsked = new AbortController()
  readonly #stopped = new AbortController()
  readonly #collapse = Promise.withResolvers<Error>()
  #leadingUntil: AbortSignal | undefined
  #working: readonly Promise<void>[] = []
  #leading: Promise<void> = Promise.resolve()
  #attaching: Promise<void> = Promise.resolve()

  constructor(options: OperatorOptions) {
    const { clock, log, meter, scope, controllers, instance } = options
    this.#options = options
    const calls = countCalls(options.port)
    this.#calls = calls
    const { rights = rightsOf(controllers), onTrouble = (error) => log.warn({}, printError(error)) } = options
    const declaredStatus = new DeclaredStatus(() => this.#served, log)
    const clientUntil = (signal: AbortSignal): Client => {
      const client = createClient(calls.port, AbortSignal.any([this.#stopped.signal, signal]))
      return declaredClient(declaredStatus.limit(meteredClient(client, meter)), rights, scope)
    }
    const client = clientUntil(this.#stopped.signal)
    const wires: Wires = { client, clock, signal: this.#stopped.signal, syncs: new Turnstile(syncsAtOnce), onTrouble }
    const onCollapse = (error: unknown) => this.#collapsed(error)
    const events = new EventRecorder({ clock, log, instance })
    const turns = new Turns()
    this.#means = { wires, scope, onCollapse, clock, log, meter, events, turns, client, clientUntil }
    const watched = controllers.flatMap(({ watches }) => watches.map(({ view }) => view.kind))
    this.#served = new ServedKinds([...new Set(watched)], wires)
  }

  /** Resolves when everything is in view that the cluster serves. */
  async start(): Promise<void> {
    for (const informer of this.#served.informers) informer.run().catch((error: unknown) => this.#collapsed(error))
    await Promise.all(this.#served.informers.map(({ synced }) => synced))
    this.#served.onChange(() => this.#adapt())
    this.#adapt()
    await this.#attaching
    await Promise.all([...this.#attachments.values()].map((attachment) => attachment.synced()))
    const lead = (until: AbortSignal) => this.#lead(until)
    this.#leading = this.#options.whenLeading(lead, this.#stopAsked.signal)
    this.#leading.catch((error: unknown) => this.#collapsed(error))
  }

  /** What it keeps in view. */
  get informers(): readonly Informer[] {
    const ofKinds = this.#served.informers as unknown as readonly Informer[]
    return [...ofKinds, ...this.attachments.flatMap(({ informers }) => informers)]
  }

  get attachments(): readonly Attachment[] {
    return [...this.#attachments.values()]
  }

  /** Why controllers wait that do. */
  get obstacles(): ReadonlyMap<Controller, string> {
    return this.#obstacles
  }

  get isLeading(): boolean {
    return this.#leadingUntil?.aborted === false
  }

  /** No pass is due or running and no call is on its way. */
  get isQuiet(): boolean {
    return this.attachments.every(({ queue }) => queue.isEmpty) && this.#calls.inFlight === 0
  }

  /** Resolves with the reason if a part of it ends that must not: what is left is worth nothing without it. */
  get collapsed(): Promise<Error> {
    return this.#collapse.promise
  }

  /** Looks at every object again. */
  resync(): void {
    for (const attachment of this.attachments) attachment.resync()
  }

  /** Takes up no new work, and ends what it has begun. */
  async stop(): Promise<void> {
    this.#stopAsked.abort()
    try {
      await this.#leading
      await this.#attaching
      for (const attachment of this.attachments) await attachment.detach()
    } finally {
      this.abandon()
    }
  }

  /** Ends everything at once, as it is. */
  abandon(): void {
    this.#stopAsked.abort()
    this.#stopped.abort()
  }

  /** Attaches what the cluster serves and detaches what it no longer does, one change after the other. */
  #adapt(): void {
    this.#attaching = this.#attaching.then(async () => {
      for (const controller of this.#options.controllers) await this.#adaptOne(controller)
    })
    this.#attaching.catch((error: unknown) => this.#collapsed(error))
  }

  async #adaptOne(controller: Controller): Promise<void> {
    const { log } = this.#options
    const facts = { controller: controller.name }
    const obstacle = this.#obstacleTo(controller)
    const attachment = this.#attachments.get(controller)
    if (obstacle === undefined && attachment === undefined && !this.#stopAsked.signal.aborted) {
      if (this.#obstacles.delete(controller)) log.info(facts, 'goes on: its kinds are served')
      const attached = new Attachment(controller, this.#means)
      this.#attachments.set(controller, attached)
      if (this.#leadingUntil !== undefined) this.#work(attached, this.#leadingUntil)
    }
    if (obstacle === undefined || this.#obstacles.get(controller) === obstacle) return
    this.#obstacles.set(controller, obstacle)
    log.warn(facts, `waits: ${obstacle}`)
    await attachment?.detach()
    this.#attachments.delete(controller)
  }

  #obstacleTo({ watches }: Controller): string | undefined {
    return watches
      .filter(({ view }) => view.kind.isCustom)
      .map(({ view }) => this.#served.obstacleTo(view.kind))
      .find((obstacle) => obstacle !== undefined)
  }

  async #lead(until: AbortSignal): Promise<void> {
    this.#leadingUntil = until
    this.#working = []
    for (const attachment of this.attachments) this.#work(attachment, until)
    await raised(until)
    await Promise.all(this.#working)
  }

  #work(attachment: Attachment, until: AbortSignal): void {
    const work = attachment.work(until)
    work.catch((error: unknown) => this.#collapsed(error))
    this.#working = [...this.#working, work]
  }

  #collapsed(error: unknown): void {
    const reason = new Error(`the operator cannot go on: ${printError(error)}`, { cause: error })
    this.#options.log.error({}, reason.message)
    this.#collapse.resolve(reason)
  }
}

/** Starts controllers against a cluster; resolves when everything is in view that it serves. */
export const startOperator = async (options: OperatorOptions): Promise<Operator> => {
  const operator = new Operator(options)
  await operator.start()
  return operator
}
