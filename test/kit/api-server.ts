import { pathOf } from '../../src/kube/client.ts'
import { discover } from '../../src/kube/discovery.ts'
import type { Port, WireRequest } from '../../src/kube/port.ts'
import { apiVersionOf, type Kind } from '../../src/pure/kind.ts'
import { printKey } from '../../src/pure/object.ts'

/** An object as a manifest has it. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

interface Answer {
  readonly status: number
  /** The object, or the server's own words on why not. */
  readonly body: { readonly message?: string } & Readonly<Record<string, unknown>>
}

type Query = Readonly<Record<string, string>>

export const dryRun: Query = { dryRun: 'All' }

const patience = 30_000

/** The API server as kubectl sees it: takes manifests, and says what it thinks of them. */
export class ApiServer {
  readonly #port: Port
  #served: Promise<readonly Kind[]> | undefined

  constructor(port: Port) {
    this.#port = port
  }

  /** As `kubectl apply --server-side` does, strictly. */
  async apply(object: Manifest, query: Query = {}): Promise<Answer> {
    const strictly = { fieldManager: 'kubectl', fieldValidation: 'Strict', force: 'true', ...query }
    return this.#send('PATCH', await this.pathOf(object), strictly, json(object, 'application/apply-patch+yaml'))
  }

  /** Applies, or fails with the server's words. */
  async mustApply(objects: readonly Manifest[]): Promise<void> {
    for (const object of objects) {
      const { status, body } = await this.apply(object)
      if (status >= 300) throw new Error(`${object.kind} ${printKey(object.metadata)}: ${status} ${body.message ?? ''}`)
    }
  }

  post(path: string, body: object, query: Query = {}): Promise<Answer> {
    return this.#send('POST', path, query, json(body, 'application/json'))
  }

  patch(path: string, change: object, query: Query = {}): Promise<Answer> {
    return this.#send('PATCH', path, query, json(change, 'application/merge-patch+json'))
  }

  delete(path: string, query: Query = {}): Promise<Answer> {
    // Without a body: options in one would make the server ignore those of the query.
    return this.#send('DELETE', path, query)
  }

  get(path: string): Promise<Answer> {
    return this.#send('GET', path, {})
  }

  async pathOf({ apiVersion, kind, metadata }: Manifest): Promise<string> {
    const served = await (this.#served ??= discover(this.#port, AbortSignal.timeout(patience)))
    const found = served.find((other) => apiVersionOf(other) === apiVersion && other.kind === kind)
    if (found === undefined) throw new Error(`nobody serves ${kind} (${apiVersion})`)
    return pathOf(found, metadata)
  }

  async #send(
    method: WireRequest['method'],
    path: string,
    query: Query,
    content: { readonly body?: string; readonly contentType?: string } = {},
  ): Promise<Answer> {
    const request = { method, path, query, accept: 'application/json', ...content }
    const reply = await this.#port.call(request, AbortSignal.timeout(patience))
    return { status: reply.status, body: parseBody(reply.body) }
  }
}

/** The API server answers in plain text where a path is not served, or not served yet. */
const parseBody = (text: string): Answer['body'] => {
  try {
    return JSON.parse(text) as Answer['body']
  } catch {
    return { message: text }
  }
}

const json = (body: object, contentType: string) => ({ body: JSON.stringify(body), contentType })
