import type { Duration } from '../pure/duration.ts'
import { seconds } from '../pure/duration.ts'
import type { Kind } from '../pure/kind.ts'
import { type ObjectKey, printKey } from '../pure/object.ts'
import { ConnectionError, type WireReply } from './port.ts'

/**
 * `ambiguous`: the request may have been carried out. `conflict`: the object is not what the request was made for.
 * `gone`: it is not there. `throttled`: ask later. `terminating`: its namespace is being deleted, and takes nothing new.
 * `unreachable`: nothing was done. `refused`: everything else.
 */
export type ApiErrorClass = 'refused' | 'conflict' | 'gone' | 'throttled' | 'terminating' | 'ambiguous' | 'unreachable'

/** What was asked of the API server, in the words of an error message. */
export interface Asked {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'apply' | 'mark' | 'delete'
  readonly kind: Kind
  readonly key?: ObjectKey | undefined
}

/** A request that did not succeed. Carries facts, never a body or a header. */
export class ApiError extends Error {
  readonly asked: Asked
  readonly class: ApiErrorClass
  readonly status: number | undefined
  readonly retryAfter: Duration | undefined

  constructor(asked: Asked, fault: Fault, cause?: unknown) {
    const what = asked.key === undefined ? `${asked.kind.kind}s` : `${asked.kind.kind} ${printKey(asked.key)}`
    super(`cannot ${asked.verb} ${what}: ${fault.why}`, { cause })
    this.name = 'ApiError'
    this.asked = asked
    this.class = fault.class
    this.status = fault.status
    this.retryAfter = fault.retryAfter
  }
}

interface Fault {
  readonly why: string
  readonly class: ApiErrorClass
  readonly status?: number
  readonly retryAfter?: Duration
}

export const isRead = ({ verb }: Asked): boolean => verb === 'get' || verb === 'list' || verb === 'watch'

// No server asks for more in earnest, and nobody else shall blind us.
const longestWait = 60

export const errorOfReply = (asked: Asked, reply: WireReply): ApiError => {
  const why = `the API server answered ${printStatus(reply)}`
  const throttle =
    reply.retryAfter === undefined ? {} : { retryAfter: seconds(Math.min(reply.retryAfter, longestWait)) }
  return new ApiError(asked, { why, status: reply.status, class: classOf(asked, reply), ...throttle })
}

export const errorOfConnection = (asked: Asked, cause: unknown): unknown => {
  if (!(cause instanceof ConnectionError)) return cause
  const mayHaveActed = cause.wasSent && !isRead(asked)
  const why = mayHaveActed
    ? `the reply was lost (${cause.message})`
    : `the API server is not reachable (${cause.message})`
  return new ApiError(asked, { why, class: mayHaveActed ? 'ambiguous' : 'unreachable' }, cause)
}

const classOf = (asked: Asked, { status, body }: WireReply): ApiErrorClass => {
  const { reason, details } = parseStatus(body)
  // An object of that name with another uid is refused as invalid: the uid is no field that can be changed.
  const isOther = status === 422 && details?.causes?.some(({ field }) => field === 'metadata.uid') === true
  if (status === 409 || isOther) return 'conflict'
  if (status === 410 || (status === 404 && reason === 'NotFound')) return 'gone'
  if (status === 429) return 'throttled'
  if (status === 403 && details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') === true)
    return 'terminating'
  // A server that fails in the middle may have stored the object before it did, and a 404 that is not the API server's
  // own word is some proxy's: neither says what there is.
  if (status >= 500 || status === 404) return isRead(asked) ? 'unreachable' : 'ambiguous'
  return 'refused'
}

interface StatusBody {
  readonly reason?: string
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly field?: string }[] }
}

/** The status with its reason and the fields that it is about. Messages are left out: they may quote what was sent. */
const printStatus = ({ status, body }: WireReply): string => {
  const { reason, details } = parseStatus(body)
  const causes = (details?.causes ?? []).map(({ reason: why = '', field = '' }) => `${why} ${field}`.trim())
  return [`${status}`, reason, causes.length > 0 ? `(${causes.join(', ')})` : undefined].filter(Boolean).join(' ')
}

/** A reply that is no JSON object is as good as none. */
export const parseReply = <T extends object>(asked: Asked, { status, body }: WireReply): T => {
  const value = parseJson(body)
  if (typeof value === 'object' && value !== null) return value as T
  const lost = isRead(asked) ? 'unreachable' : 'ambiguous'
  throw new ApiError(asked, { why: 'the answer is no JSON object', status, class: lost })
}

/** Undefined for what is no JSON. The parser's own words are left out: they quote what they read. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Of a proxy's page, its status is all there is to say.
const parseStatus = (body: string): StatusBody => (parseJson(body) as StatusBody | null | undefined) ?? {}

export const isApiError = (error: unknown, ...classes: readonly ApiErrorClass[]): error is ApiError =>
  error instanceof ApiError && (classes.length === 0 || classes.includes(error.class))
