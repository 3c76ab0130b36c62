/** One request to the API server. `path` has no query. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly accept: string
  readonly contentType?: string
  readonly body?: string
  /** A reply with more is broken off, and the call fails with ReplyTooLarge. */
  readonly mostBytes?: number
}

export interface WireReply {
  readonly status: number
  /** Seconds, as the server put it. */
  readonly retryAfter: number | undefined
  readonly body: string
}

export interface WireStream {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}

/** Every request to the API server passes through here: the one place where a test can come between. */
export interface Port {
  call(request: WireRequest, signal: AbortSignal): Promise<WireReply>
  /** A watch: its body goes on until one side ends it. */
  open(request: WireRequest, signal: AbortSignal): Promise<WireStream>
  close(): Promise<void>
}

/** The connection broke. `wasSent` tells whether the server may have acted on the request. */
export class ConnectionError extends Error {
  readonly wasSent: boolean
  constructor(message: string, options: { readonly wasSent: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'ConnectionError'
    this.wasSent = options.wasSent
  }
}

/** The reply was longer than whoever asked had room for. */
export class ReplyTooLarge extends ConnectionError {
  constructor(mostBytes: number) {
    super(`the reply is larger than ${mostBytes} bytes`, { wasSent: true })
    this.name = 'ReplyTooLarge'
  }
}
