import { pathOf } from '../../src/kube/client.ts'
import type { Port, WireRequest } from '../../src/kube/port.ts'
import type { Kind } from '../../src/pure/kind.ts'
import type { ObjectKey } from '../../src/pure/object.ts'
import { apiVersionOf } from '../../src/pure/kind.ts'

/** Somebody with kubectl: writes as people do, without preconditions. */
export class User {
  readonly #port: Port
  readonly #manager: string

  constructor(port: Port, manager = 'somebody') {
    this.#port = port
    this.#manager = manager
  }

  /** Another program at the same server, known by its field manager. */
  as(manager: string): User {
    return new User(this.#port, manager)
  }

  create(
    kind: Kind,
    object: { readonly metadata: ObjectKey & Record<string, unknown>; readonly [field: string]: unknown },
  ): Promise<void> {
    const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object }
    return this.#send('POST', pathOf(kind, { namespace: object.metadata.namespace }), body, 'application/json')
  }

  patch(kind: Kind, key: ObjectKey, change: object): Promise<void> {
    return this.#send('PATCH', pathOf(kind, key), change, 'application/merge-patch+json')
  }

  patchStatus(kind: Kind, key: ObjectKey, change: object): Promise<void> {
    return this.#send('PATCH', `${pathOf(kind, key)}/status`, change, 'application/merge-patch+json')
  }

  delete(kind: Kind, key: ObjectKey): Promise<void> {
    return this.#send('DELETE', pathOf(kind, key), {}, 'application/json')
  }

  /** Lets a namespace go that is being deleted: the shared control plane has nobody who does. */
  finalizeNamespace(name: string): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } }
    return this.#send('PUT' as 'PATCH', `/api/v1/namespaces/${name}/finalize`, body, 'application/json')
  }

  async #send(method: WireRequest['method'], path: string, body: object, contentType: string): Promise<void> {
    const request = { method, path, query: {}, accept: 'application/json', contentType, body: JSON.stringify(body) }
    const reply = await this.#port.call(
      { ...request, query: { fieldManager: this.#manager } },
      AbortSignal.timeout(30_000),
    )
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`)
  }
}
