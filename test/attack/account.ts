import { eventually } from '../../src/dev/eventually.ts'
import type { Port, WireRequest } from '../../src/kube/port.ts'

/** An object as the API server returns it, as far as attacks look at it. */
export interface Stored {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly managedFields?: readonly { readonly manager: string; readonly operation: string }[]
    readonly deletionTimestamp?: string
  }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: {
    readonly keyID?: string
    readonly generations?: readonly { readonly generation: number; readonly keyID: string; readonly state: string }[]
    readonly conditions?: readonly StoredCondition[]
    readonly readyReplicas?: number
  }
}

export interface StoredCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

interface Reply {
  readonly status: number
  readonly text: string
}

type Query = Readonly<Record<string, string>>

const patience = 60_000
const mostTries = 4
const mergePatch = 'application/merge-patch+json'

/** A client of the API server under one identity. A body that is a string is sent unchanged: it may be hostile. */
export class Account {
  readonly #port: Port

  constructor(port: Port) {
    this.#port = port
  }

  async send(
    method: WireRequest['method'] | 'PUT',
    path: string,
    body?: object | string,
    { contentType = 'application/json', query = {} }: { readonly contentType?: string; readonly query?: Query } = {},
  ): Promise<Reply> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const content = text === undefined ? {} : { body: text, contentType }
    const request = { method: method as WireRequest['method'], path, query, accept: 'application/json', ...content }
    const reply = await this.#port.call(request, AbortSignal.timeout(patience))
    return { status: reply.status, text: reply.body }
  }

  /** Creates the object below this collection, or fails with the server's answer. */
  async create(collection: string, object: object | string): Promise<void> {
    accepted('POST', collection, await this.send('POST', collection, object))
  }

  async patch(path: string, change: object | string, query: Query = {}): Promise<void> {
    accepted('PATCH', path, await this.send('PATCH', path, change, { contentType: mergePatch, query }))
  }

  /** The status of the answer, where a refusal is an answer too. */
  async tryPatch(path: string, change: object | string, query: Query = {}): Promise<number> {
    return (await this.send('PATCH', path, change, { contentType: mergePatch, query })).status
  }

  /** Deletes the object; one that does not exist is fine. */
  async delete(path: string, query: Query = {}): Promise<void> {
    const reply = await this.send('DELETE', path, undefined, { query })
    if (reply.status !== 404) accepted('DELETE', path, reply)
  }

  async get(path: string): Promise<Stored | undefined> {
    const reply = await this.#read(path)
    if (reply.status === 404) return undefined
    accepted('GET', path, reply)
    return JSON.parse(reply.text) as Stored
  }

  async list(path: string): Promise<readonly Stored[]> {
    const reply = await this.#read(path)
    accepted('GET', path, reply)
    return (JSON.parse(reply.text) as { readonly items: readonly Stored[] }).items
  }

  /** A server that an attack keeps busy is asked again. */
  async #read(path: string): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.send('GET', path)
      } catch (error) {
        if (tries === mostTries) throw error
      }
    }
  }

  async untilGone(path: string, withinMs: number): Promise<void> {
    await eventually(`${path} is deleted`, async () => (await this.get(path)) === undefined, withinMs)
  }
}

const accepted = (method: string, path: string, { status, text }: Reply): void => {
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`)
}
