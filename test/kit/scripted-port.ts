import type { Port, WireReply, WireRequest } from '../../src/kube/port.ts'

/** A port whose calls are answered by a script, and whose watches stay silent until the signal ends them. */
export const scriptedPort = (answer: (request: WireRequest) => WireReply | Promise<WireReply>): Port => ({
  call: (request) => Promise.resolve(answer(request)),
  open: (_request, signal) => Promise.resolve({ status: 200, retryAfter: undefined, body: silentUntil(signal) }),
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
