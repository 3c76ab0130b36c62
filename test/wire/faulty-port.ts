import type { Port, WireReply, WireRequest, WireStream } from '../../src/kube/port.ts'
import type { ObjectServer, Selects, Thing } from './object-server.ts'
import type { Random } from './random.ts'
import { ScriptedWatch, type StreamFault } from './scripted-watch.ts'

export const callFaults = ['break', '500', '429', 'expired', 'no answer'] as const
export type CallFault = (typeof callFaults)[number]

export interface FaultyPortOptions {
  readonly server: ObjectServer
  readonly random: Random
  /** What the server makes of the question for initial events: an old one does not know it, a broken one never ends. */
  readonly initialEvents: 'known' | 'unknown' | 'endless'
  /** Makes the error of a broken connection. */
  readonly breakage: () => Error
}

const pageSize = 3

/** The wire to an object server, with whatever can go wrong on it. */
export class FaultyPort implements Port {
  readonly #options: FaultyPortOptions
  readonly #pages = new Map<string, { readonly things: readonly Thing[]; readonly version: number }>()
  #watches: ScriptedWatch[] = []
  /** What happens to the next requests. */
  #faults: CallFault[] = []

  constructor(options: FaultyPortOptions) {
    this.#options = options
  }

  arm(fault: CallFault): void {
    this.#faults.push(fault)
  }

  disarm(): void {
    this.#faults = []
  }

  suffer(fault: StreamFault): void {
    this.#options.random.pick(this.#alive())?.suffer(fault)
  }

  bookmark(): void {
    for (const watch of this.#alive()) watch.bookmark()
  }

  /** The server stops and starts again. */
  restart(): void {
    for (const watch of this.#alive()) watch.suffer('cut')
    this.#pages.clear()
  }

  async call({ query }: WireRequest): Promise<WireReply> {
    const fault = this.#faults.shift()
    if (fault !== undefined) await this.#refuse(fault)
    const refusal = fault === undefined ? undefined : refusals[fault]
    return refusal ?? (query['continue'] === undefined ? this.#firstPage(query) : this.#nextPage(query['continue']))
  }

  async open({ query }: WireRequest, signal: AbortSignal): Promise<WireStream> {
    const { server, random, breakage, initialEvents } = this.#options
    const fault = this.#faults.shift()
    if (fault !== undefined) await this.#refuse(fault, signal)
    const from = query['resourceVersion']
    const isRefused = initialEvents === 'unknown' && from === undefined
    const refusal = fault === undefined ? undefined : refusals[fault]
    if (refusal !== undefined || isRefused) return { ...(refusal ?? status(422, 'Invalid')), body: nothing() }
    if (from !== undefined && Number(from) < server.compacted) return { ...status(410, 'Expired'), body: nothing() }
    const script = { server, random, breakage, signal, selects: selectsBy(query['labelSelector']) }
    const watch = new ScriptedWatch(from === undefined ? server.version : Number(from), script)
    this.#watches = [...this.#alive(), watch]
    if (from === undefined) watch.tellAll({ neverEnds: initialEvents === 'endless' })
    return { status: 200, retryAfter: undefined, body: watch.body }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #alive(): ScriptedWatch[] {
    return this.#watches.filter(({ isOver }) => !isOver)
  }

  async #refuse(fault: CallFault, signal?: AbortSignal): Promise<void> {
    if (fault === 'break') throw this.#options.breakage()
    if (fault !== 'no answer') return
    if (signal === undefined) throw this.#options.breakage()
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }

  #firstPage({ labelSelector }: WireRequest['query']): WireReply {
    const { server } = this.#options
    const things = server.list().filter(selectsBy(labelSelector))
    return this.#page({ things, version: server.version })
  }

  #nextPage(token: string): WireReply {
    const rest = this.#pages.get(token)
    return rest === undefined ? status(410, 'Expired') : this.#page(rest)
  }

  #page({ things, version }: { readonly things: readonly Thing[]; readonly version: number }): WireReply {
    const rest = things.slice(pageSize)
    const token = rest.length === 0 ? '' : `page-${this.#pages.size}-${rest.length}`
    if (token !== '') this.#pages.set(token, { things: rest, version })
    const metadata = { resourceVersion: String(version), continue: token }
    return { ...ok, body: JSON.stringify({ kind: 'List', metadata, items: things.slice(0, pageSize) }) }
  }
}

const selectsBy =
  (label: string | undefined): Selects =>
  ({ metadata }) =>
    label === undefined || metadata.labels?.[label] !== undefined

const status = (code: number, reason: string): WireReply => ({
  status: code,
  retryAfter: undefined,
  body: JSON.stringify({ kind: 'Status', code, reason }),
})

const ok = status(200, '')

/** Faults that are an answer. */
const refusals: Readonly<Partial<Record<CallFault, WireReply>>> = {
  '500': status(500, 'InternalError'),
  '429': { ...status(429, 'TooManyRequests'), retryAfter: 3 },
  expired: status(410, 'Expired'),
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // a refused watch has no lines
}
