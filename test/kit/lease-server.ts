import type { Port, WireReply, WireRequest } from '../../src/kube/port.ts'
import type { LeaseObject, LeaseSpec } from '../../src/pure/lease.ts'
import { replyWith, scriptedPort } from './scripted-port.ts'

/** Comes between a candidate and the server; `pass` lets the server act. */
export type Between = (request: WireRequest, pass: () => WireReply) => WireReply | Promise<WireReply>

interface Sent {
  readonly metadata: { readonly name: string; readonly uid?: string; readonly resourceVersion?: string }
  readonly spec: LeaseSpec
}

/** As much of an API server as one Lease needs: every write is refused unless it was made for what there is. */
export class LeaseServer {
  lease: LeaseObject | undefined
  #version = 0

  /** The way of one process to the server. */
  port(between: Between = (_, pass) => pass()): Port {
    return scriptedPort((request) => between(request, () => this.#answer(request)))
  }

  /** Stores a Lease, whatever there is. */
  put(spec: LeaseSpec, uid = this.lease?.metadata.uid ?? `uid-${this.#version}`): WireReply {
    this.#version += 1
    const metadata = { namespace: 'holdfast', name: 'holdfast', uid, resourceVersion: String(this.#version) }
    this.lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }
    return replyWith(200, this.lease)
  }

  #answer({ method, body = '{}' }: WireRequest): WireReply {
    if (method === 'GET') {
      return this.lease === undefined ? replyWith(404, { reason: 'NotFound' }) : replyWith(200, this.lease)
    }
    const { metadata, spec } = JSON.parse(body) as Sent
    const { uid, resourceVersion } = this.lease?.metadata ?? {}
    if (metadata.uid !== uid || metadata.resourceVersion !== resourceVersion) {
      return replyWith(409, { reason: method === 'POST' ? 'AlreadyExists' : 'Conflict' })
    }
    return this.put(spec)
  }
}
