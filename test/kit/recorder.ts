import type { Port, WireReply, WireRequest, WireStream } from '../../src/kube/port.ts'
import { type Act, actOf, printAct } from './act.ts'

/** Writes down everything that passes it on its way to the API server. */
export class Recorder implements Port {
  readonly acts: Act[] = []
  /** What the server's authorizer would not have. */
  readonly forbidden: string[] = []
  readonly #port: Port

  constructor(port: Port) {
    this.#port = port
  }

  async call(request: WireRequest, signal: AbortSignal): Promise<WireReply> {
    return this.#note(request, () => this.#port.call(request, signal))
  }

  async open(request: WireRequest, signal: AbortSignal): Promise<WireStream> {
    return this.#note(request, () => this.#port.open(request, signal))
  }

  close(): Promise<void> {
    return this.#port.close()
  }

  async #note<T extends { readonly status: number }>(request: WireRequest, send: () => Promise<T>): Promise<T> {
    const act = actOf(request)
    this.acts.push(act)
    const reply = await send()
    if (reply.status === 403) this.forbidden.push(printAct(act))
    return reply
  }
}
