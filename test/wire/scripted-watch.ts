import { ByteStream } from './byte-stream.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { ObjectServer, Selects, Thing, Told } from './object-server.ts'
import type { Random } from './random.ts'

export const streamFaults = [
  'cut',
  'end',
  'half a line',
  'junk',
  'no event',
  'expired',
  'error 500',
  'the last again',
  'an old one again',
  'black hole',
] as const
export type StreamFault = (typeof streamFaults)[number]

export interface WatchScript {
  readonly server: ObjectServer
  readonly random: Random
  readonly selects: Selects
  /** How much of a thing the watch asked for. */
  readonly shows: (thing: Thing) => KubeObject
  readonly signal: AbortSignal
  readonly breakage: () => Error
}

/** One watch on the scripted server: tells what happens, in pieces of any size, until a fault ends it. */
export class ScriptedWatch {
  readonly body: ByteStream
  readonly #script: WatchScript
  readonly #unsubscribe: () => void
  readonly #sent: Told[] = []
  #position: number
  #isBlackHole = false
  /** What the next event looks like when it arrives. */
  #garbled: string | undefined

  constructor(from: number, script: WatchScript) {
    this.#position = from
    this.#script = script
    this.body = new ByteStream(script.signal)
    this.#unsubscribe = script.server.onChange(() => this.#advance())
    this.#advance()
  }

  get isOver(): boolean {
    return this.body.hasEnded
  }

  /** Everything there is, but not yet the bookmark that says so. An ordinary one on the way says nothing of the kind. */
  tellAll(): void {
    const { server, selects, random } = this.#script
    const things = server.list().filter(selects)
    const half = random.below(things.length + 1)
    for (const object of things.slice(0, half)) this.#tell({ type: 'ADDED', object })
    if (random.once(4)) this.bookmark()
    for (const object of things.slice(half)) this.#tell({ type: 'ADDED', object })
  }

  /** That was everything. */
  endInitial(): void {
    this.#line(bookmarkAt(this.#script.server.version, { 'k8s.io/initial-events-end': 'true' }))
  }

  /** Whatever these bytes mean. */
  send(...chunks: readonly (string | Uint8Array)[]): void {
    for (const chunk of chunks) this.body.push(Buffer.from(chunk))
  }

  bookmark(): void {
    const { version } = this.#script.server
    if (this.#position <= version) this.#line(bookmarkAt(version, {}))
  }

  suffer(fault: StreamFault): void {
    switch (fault) {
      case 'cut':
        return this.#end(this.#script.breakage())
      case 'end':
        return this.#end()
      case 'half a line':
        this.#bytes('{"type":"MODIFIED","object":{"metadata":{"na')
        return this.#end()
      case 'junk':
        this.#garbled = '<html>bad gateway</html>\n'
        return
      case 'no event':
        this.#garbled = 'null\n'
        return
      case 'expired':
        return this.#line({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })
      case 'error 500':
        return this.#line({ type: 'ERROR', object: { kind: 'Status', code: 500, reason: 'InternalError' } })
      case 'the last again':
        return this.#again(this.#sent.at(-1))
      case 'an old one again':
        return this.#again(this.#script.random.pick(this.#sent))
      case 'black hole':
        this.#isBlackHole = true
        return
      default:
        return fault satisfies never
    }
  }

  #again(told: Told | undefined): void {
    if (told !== undefined) this.#tell(told)
  }

  #advance(): void {
    if (this.isOver) return this.#unsubscribe()
    const { server, selects } = this.#script
    const news = server.since(this.#position, selects)
    this.#position = Math.max(this.#position, server.version)
    for (const told of news) {
      this.#sent.push(told)
      if (this.#garbled === undefined) this.#tell(told)
      else this.#bytes(this.#garbled)
      this.#garbled = undefined
    }
  }

  #end(error?: Error): void {
    this.#unsubscribe()
    this.body.end(error)
  }

  #tell({ type, object }: Told): void {
    this.#line({ type, object: this.#script.shows(object) })
  }

  #line(event: unknown): void {
    this.#bytes(`${JSON.stringify(event)}\n`)
  }

  #bytes(text: string): void {
    if (this.#isBlackHole) return
    const bytes = Buffer.from(text)
    const { random } = this.#script
    for (let start = 0; start < bytes.length; ) {
      const end = start + 1 + random.below(bytes.length - start)
      this.body.push(bytes.subarray(start, end))
      start = end
    }
  }
}

const bookmarkAt = (version: number, annotations: object) => ({
  type: 'BOOKMARK',
  object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: String(version), annotations } },
})
