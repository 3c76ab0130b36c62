import type { Marks } from '../pure/effects.ts'
import { apiVersionOf, type Kind } from '../pure/kind.ts'
import type { KubeObject, ObjectKey, Precondition } from '../pure/object.ts'
import { ApiError, type Asked, errorOfConnection, errorOfReply, isApiError, parseReply } from './api-error.ts'
import type { Port, WireReply, WireRequest, WireStream } from './port.ts'

/** How much of an object a read brings: all of it, or its metadata alone. */
export type Extent = 'whole' | 'metadata'

export interface Selection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly resourceVersion: string
  readonly next: string | undefined
  /** Characters of the reply. */
  readonly size: number
}

/** An object as it is sent: without what only the server knows. */
export interface Sent {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined }
  readonly [field: string]: unknown
}

/** The calls of the API server that an operator needs, and no others. Every write is guarded (see effects.ts). */
export interface Client {
  get<T extends KubeObject>(kind: Kind, key: ObjectKey, extent?: Extent): Promise<T | undefined>
  list<T extends KubeObject>(kind: Kind, selection: Selection, options?: ListOptions): Promise<Page<T>>
  create<T extends KubeObject>(kind: Kind, object: Sent, manager: string): Promise<T>
  apply<T extends KubeObject>(kind: Kind, object: Sent, on: Precondition, manager: string): Promise<T>
  applyStatus<T extends KubeObject>(kind: Kind, object: Sent, on: Precondition, manager: string): Promise<T>
  mark<T extends KubeObject>(kind: Kind, key: ObjectKey, marking: Marking, manager: string): Promise<T>
  /** The object when a finalizer keeps it for now, undefined when it is gone. */
  delete<T extends KubeObject>(
    kind: Kind,
    key: ObjectKey,
    uid: string,
    resourceVersion?: string,
  ): Promise<T | undefined>
  /** The raw lines of a watch, until the signal is raised; what they mean is for watch.ts to say. */
  openWatch(kind: Kind, selection: Selection, options: WatchOptions, signal: AbortSignal): Promise<WireStream>
}

export interface WatchOptions {
  readonly extent: Extent
  readonly query: Readonly<Record<string, string>>
}

/** New metadata, for the object as it was seen. */
export interface Marking {
  readonly on: Precondition
  readonly set: Marks
}

export interface ListOptions {
  readonly extent?: Extent
  readonly limit?: number
  readonly next?: string | undefined
  /** A page with more fails: what is in it is not known. */
  readonly mostBytes?: number
}

const accepts: Readonly<Record<Extent, { one: string; list: string }>> = {
  whole: { one: 'application/json', list: 'application/json' },
  metadata: {
    one: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  },
}

/** Where a kind's objects are served, or one of them. */
export const pathOf = (kind: Kind, { namespace, name }: { namespace?: string | undefined; name?: string }): string => {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const inNamespace = namespace === undefined || !kind.namespaced ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${root}${inNamespace}/${kind.plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
}

const selectionQuery = ({ labelSelector, fieldSelector }: Selection): Record<string, string> => ({
  ...(labelSelector === undefined ? {} : { labelSelector }),
  ...(fieldSelector === undefined ? {} : { fieldSelector }),
})

const acceptOf = (extent: Extent, shape: 'one' | 'list'): string => accepts[extent][shape]

/** A client on a port. The signal ends what is on its way. */
export const createClient = (port: Port, signal: AbortSignal): Client => new PortClient(port, signal)

class PortClient implements Client {
  readonly #port: Port
  readonly #signal: AbortSignal

  constructor(port: Port, signal: AbortSignal) {
    this.#port = port
    this.#signal = signal
  }

  async get<T extends KubeObject>(kind: Kind, key: ObjectKey, extent: Extent = 'whole'): Promise<T | undefined> {
    const request = { method: 'GET', path: pathOf(kind, key), query: {}, accept: acceptOf(extent, 'one') } as const
    try {
      return await this.#call<T>({ verb: 'get', kind, key }, request)
    } catch (error) {
      if (isApiError(error, 'gone')) return undefined
      throw error
    }
  }

  async list<T extends KubeObject>(kind: Kind, selection: Selection, options: ListOptions = {}): Promise<Page<T>> {
    const { extent = 'whole', limit, next, mostBytes } = options
    const query = {
      ...selectionQuery(selection),
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(next === undefined ? {} : { continue: next }),
    }
    const request = {
      method: 'GET',
      path: pathOf(kind, selection),
      query,
      accept: acceptOf(extent, 'list'),
      ...(mostBytes !== undefined && { mostBytes }),
    } as const
    const asked = { verb: 'list', kind } as const
    const reply = await this.#send(asked, request)
    return { ...pageOf(asked, parseReply<WireList<T>>(asked, reply)), size: reply.body.length }
  }

  async create<T extends KubeObject>(kind: Kind, object: Sent, manager: string): Promise<T> {
    const body = JSON.stringify({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...object })
    const path = pathOf(kind, { namespace: object.metadata.namespace })
    const request = { method: 'POST', path, query: asManager(manager), contentType: 'application/json', body } as const
    return this.#call<T>({ verb: 'create', kind, key: object.metadata }, request)
  }

  apply<T extends KubeObject>(kind: Kind, object: Sent, on: Precondition, manager: string): Promise<T> {
    return this.#apply(
      kind,
      pathOf(kind, object.metadata),
      { ...object, metadata: { ...object.metadata, ...on } },
      manager,
    )
  }

  applyStatus<T extends KubeObject>(kind: Kind, object: Sent, on: Precondition, manager: string): Promise<T> {
    const path = `${pathOf(kind, object.metadata)}/status`
    return this.#apply(kind, path, { ...object, metadata: { ...object.metadata, ...on } }, manager)
  }

  async mark<T extends KubeObject>(kind: Kind, key: ObjectKey, { on, set }: Marking, manager: string): Promise<T> {
    const body = JSON.stringify({ metadata: { ...on, ...set } })
    const contentType = 'application/merge-patch+json'
    const request = { method: 'PATCH', path: pathOf(kind, key), query: asManager(manager), contentType, body } as const
    return this.#call<T>({ verb: 'mark', kind, key }, request)
  }

  async delete<T extends KubeObject>(
    kind: Kind,
    key: ObjectKey,
    uid: string,
    resourceVersion?: string,
  ): Promise<T | undefined> {
    const preconditions = { uid, resourceVersion }
    const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions })
    const request = {
      method: 'DELETE',
      path: pathOf(kind, key),
      query: {},
      contentType: 'application/json',
      body,
    } as const
    const left = await this.#call<T>({ verb: 'delete', kind, key }, request)
    return left.kind === 'Status' ? undefined : left
  }

  async openWatch(
    kind: Kind,
    selection: Selection,
    { extent, query }: WatchOptions,
    signal: AbortSignal,
  ): Promise<WireStream> {
    const asked = { verb: 'watch', kind } as const
    const request = {
      method: 'GET',
      path: pathOf(kind, selection),
      query: { ...selectionQuery(selection), watch: 'true', ...query },
      accept: acceptOf(extent, 'one'),
    } as const
    try {
      const stream = await this.#port.open(request, AbortSignal.any([this.#signal, signal]))
      if (stream.status >= 300) throw errorOfReply(asked, { ...stream, body: '' })
      return stream
    } catch (cause) {
      throw errorOfConnection(asked, cause)
    }
  }

  async #apply<T extends object>(kind: Kind, path: string, object: Sent, manager: string): Promise<T> {
    const body = JSON.stringify({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...object })
    // JSON is YAML.
    const contentType = 'application/apply-patch+yaml'
    const query = { ...asManager(manager), force: 'true' }
    const request = { method: 'PATCH', path, query, contentType, body } as const
    return this.#call<T>({ verb: 'apply', kind, key: object.metadata }, request)
  }

  async #call<T extends object>(asked: Asked, request: Request): Promise<T> {
    return parseReply<T>(asked, await this.#send(asked, request))
  }

  async #send(asked: Asked, request: Request): Promise<WireReply> {
    let reply: WireReply
    try {
      reply = await this.#port.call({ accept: 'application/json', ...request }, this.#signal)
    } catch (cause) {
      throw errorOfConnection(asked, cause)
    }
    if (reply.status >= 300) throw errorOfReply(asked, reply)
    return reply
  }
}

type Request = Omit<WireRequest, 'accept'> & { readonly accept?: string }

const asManager = (manager: string) => ({ fieldManager: manager, fieldValidation: 'Strict' })

interface WireList<T> {
  readonly items?: readonly T[] | null
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
}

/** Items of a list do not say what they are; here they do. What is no list at all is some proxy's, and says nothing. */
const pageOf = <T>(asked: Asked, { items, metadata }: WireList<T>): Omit<Page<T>, 'size'> => {
  const { resourceVersion, continue: next } = metadata ?? {}
  if (resourceVersion === undefined) throw new ApiError(asked, { why: 'the answer is no list', class: 'unreachable' })
  const { kind } = asked
  return {
    items: (items ?? []).map((item) => ({ ...item, apiVersion: apiVersionOf(kind), kind: kind.kind })),
    resourceVersion,
    next: next === '' ? undefined : next,
  }
}
