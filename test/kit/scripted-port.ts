import type { Port, WireReply, WireRequest } from '../../src/kube/port.ts'

/** A port whose calls are answered by a script, and whose watches stay silent until the signal ends them. */
export const scriptedPort = (answer: (request: WireRequest) => WireReply | Promise<WireReply>): Port => ({
  call: (request) => Promise.resolve(answer(request)),
  // As a server that does not know how to send what there is.
  open: ({ query }, signal) => {
    const status = query['sendInitialEvents'] === undefined ? 200 : 422
    return Promise.resolve({ status, retryAfter: undefined, body: silentUntil(signal) })
  },
  close: () => Promise.resolve(),
})

const silentUntil = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await new Promise((_, reject) => signal.addEventListener('abort', reject))
  yield new Uint8Array()
}

export const replyWith = (status: number, body: unknown): WireReply => ({
  status,
  retryAfter: undefined,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
