import type { Port, WireReply, WireRequest, WireStream } from '../../src/kube/port.ts'
import type { KubeObject, ObjectKey } from '../../src/pure/object.ts'
import type { ObjectServer, Selects, Thing } from './object-server.ts'
import type { Random } from './random.ts'
import { ScriptedWatch, type StreamFault } from './scripted-watch.ts'

export const callFaults = ['break', '500', '429', 'expired', 'no answer'] as const
export type CallFault = (typeof callFaults)[number]

/** What happens to a request: it passes, meets a fault, or gets this very answer. */
type Fate = 'passes' | CallFault | WireReply

/** What the server makes of the question for initial events: an old one does not know it, a broken one never ends. */
export type InitialEvents = 'known' | 'unknown' | 'endless'

export interface FaultyPortOptions {
  readonly server: ObjectServer
  readonly random: Random
  /** Makes the error of a broken connection. */
  readonly breakage: () => Error
}

/** What is left of a list that is told in pages. */
interface Rest {
  readonly things: readonly KubeObject[]
  readonly version: number
}

const pageSize = 3

/** The wire to an object server, with whatever can go wrong on it. */
export class FaultyPort implements Port {
  initialEvents: InitialEvents
  /** Every request as it came in. */
  readonly requests: WireRequest[] = []
  readonly #options: FaultyPortOptions
  readonly #pages = new Map<string, Rest>()
  #watches: ScriptedWatch[] = []
  /** What happens to the next requests. */
  #fates: Fate[] = []

  constructor(options: FaultyPortOptions, initialEvents: InitialEvents) {
    this.#options = options
    this.initialEvents = initialEvents
  }

  arm(...fates: readonly Fate[]): void {
    this.#fates.push(...fates)
  }

  disarm(): void {
    this.#fates = []
  }

  /** The watches that are open. */
  get watches(): readonly ScriptedWatch[] {
    return this.#watches.filter(({ isOver }) => !isOver)
  }

  suffer(fault: StreamFault): void {
    this.#options.random.pick(this.watches)?.suffer(fault)
  }

  bookmark(): void {
    for (const watch of this.watches) watch.bookmark()
  }

  /** The server stops and starts again. */
  restart(): void {
    for (const watch of this.watches) watch.suffer('cut')
    this.#pages.clear()
  }

  async call(request: WireRequest): Promise<WireReply> {
    const { continue: token } = request.query
    this.requests.push(request)
    const key = keyIn(request)
    const answer = () =>
      key !== undefined ? this.#one(key) : token === undefined ? this.#firstPage(request) : this.#nextPage(token)
    return (await this.#refusal()) ?? answer()
  }

  async open(request: WireRequest, signal: AbortSignal): Promise<WireStream> {
    const { server } = this.#options
    this.requests.push(request)
    const from = request.query['resourceVersion']
    const isUnknown = this.initialEvents === 'unknown' && from === undefined
    const isExpired = from !== undefined && Number(from) < server.compacted
    const refusal =
      (await this.#refusal(signal)) ??
      (isUnknown ? status(422, 'Invalid') : isExpired ? status(410, 'Expired') : undefined)
    if (refusal !== undefined) return { ...refusal, body: nothing() }
    const script = { ...this.#options, signal, selects: selectsBy(request), shows: showsAs(request) }
    const watch = new ScriptedWatch(from === undefined ? server.version : Number(from), script)
    this.#watches = [...this.watches, watch]
    if (from === undefined) watch.tellAll()
    if (from === undefined && this.initialEvents === 'known') watch.endInitial()
    return { status: 200, retryAfter: undefined, body: watch.body }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** What the next request gets instead of what it asked for. */
  async #refusal(signal?: AbortSignal): Promise<WireReply | undefined> {
    const fate = this.#fates.shift() ?? 'passes'
    if (typeof fate === 'object') return fate
    if (fate === 'break' || (fate === 'no answer' && signal === undefined)) throw this.#options.breakage()
    if (fate === 'no answer') {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
    }
    return fate === 'passes' ? undefined : refusals[fate]
  }

  #one(key: ObjectKey): WireReply {
    const thing = this.#options.server.get(key)
    return thing === undefined ? status(404, 'NotFound') : { ...ok, body: JSON.stringify(thing) }
  }

  #firstPage(request: WireRequest): WireReply {
    const { server } = this.#options
    const things = server.list().filter(selectsBy(request)).map(showsAs(request))
    return this.#page({ things, version: server.version })
  }

  #nextPage(token: string): WireReply {
    const rest = this.#pages.get(token)
    return rest === undefined ? status(410, 'Expired') : this.#page(rest)
  }

  #page({ things, version }: Rest): WireReply {
    const rest = things.slice(pageSize)
    const token = rest.length === 0 ? '' : `page-${this.#pages.size}-${rest.length}`
    if (token !== '') this.#pages.set(token, { things: rest, version })
    const metadata = { resourceVersion: String(version), continue: token }
    return { ...ok, body: JSON.stringify({ kind: 'List', metadata, items: things.slice(0, pageSize) }) }
  }
}

/** The one object that is asked for, if it is one. */
const keyIn = ({ path }: WireRequest): ObjectKey | undefined => {
  const [, namespace, name] = /\/namespaces\/([^/]+)\/[^/]+\/([^/]+)$/.exec(path) ?? []
  return name === undefined ? undefined : { namespace, name }
}

const selectsBy = ({ path, query }: WireRequest): Selects => {
  const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? []
  const { labelSelector: label, fieldSelector } = query
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    (label === undefined || metadata.labels?.[label] !== undefined) &&
    (fieldSelector === undefined || fieldSelector === `metadata.name=${metadata.name}`)
}

const showsAs =
  ({ accept }: WireRequest) =>
  (thing: Thing): KubeObject => {
    const { apiVersion, kind, metadata } = thing
    return accept.includes('as=PartialObjectMetadata') ? { apiVersion, kind, metadata } : thing
  }

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
