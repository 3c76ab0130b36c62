import { milliseconds, seconds } from '../pure/duration.ts'
import { apiVersionOf, type Kind } from '../pure/kind.ts'
import type { KubeObject, ObjectMeta } from '../pure/object.ts'
import { ApiError, errorOfConnection, errorOfReply } from './api-error.ts'
import type { Client, Extent, Selection } from './client.ts'
import type { Clock } from './clock.ts'
import { linesOf } from './lines.ts'
import { ConnectionError } from './port.ts'

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** The watch has come to this version; `endsInitial`: and has told everything there was when it began. */
  | { readonly type: 'BOOKMARK'; readonly version: string; readonly endsInitial: boolean }

export interface Watching<T> {
  readonly kind: Kind
  readonly selection: Selection
  readonly extent: Extent
  /** Changes after this version are sent; undefined: first all that there is, up to a bookmark, then its changes. */
  readonly from: string | undefined
  /** What an event has of an object. The rest of it is garbage as soon as its line is parsed. */
  readonly keep: (object: T) => T
}

/** The link carried nothing for longer than a living one can be quiet. */
export class SilenceError extends ConnectionError {
  constructor() {
    super('it fell silent', { wasSent: true })
  }
}

// The server sends a bookmark about every 60 s: a link that is silent for longer carries nothing any more.
const longestSilence = seconds(70)
// A server that knows how to send what there is begins at once.
const longestInitialSilence = seconds(10)

const initialEvents = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }

/** The changes of a kind, until the server ends the stream or it falls silent. Throws ApiError. */
export async function* watch<T extends KubeObject>(
  client: Client,
  clock: Clock,
  { kind, selection, extent, from, keep }: Watching<T>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  const silence = new AbortController()
  let patience = from === undefined ? longestInitialSilence : longestSilence
  let heardAt = clock.elapsed()
  // Looks again when it is due, instead of being set anew for every event.
  const listen = () => {
    const left = milliseconds(heardAt + patience - clock.elapsed())
    if (left > 0) callOff = clock.after(left, listen)
    else silence.abort(new SilenceError())
  }
  let callOff = clock.after(patience, listen)
  try {
    const query = { allowWatchBookmarks: 'true', ...(from === undefined ? initialEvents : { resourceVersion: from }) }
    const until = AbortSignal.any([signal, silence.signal])
    const stream = await client.openWatch(kind, selection, { extent, query }, until)
    let isEmpty = true
    for await (const event of linesOf(stream.body, (line) => parseLine(kind, line, keep))) {
      // What had arrived before the stop is nobody's business after it.
      if (signal.aborted) return
      isEmpty = false
      heardAt = clock.elapsed()
      if (event.type === 'BOOKMARK' && event.endsInitial) patience = longestSilence
      yield event
    }
    // Else a server that closes every watch at once would be dialled without a pause.
    if (isEmpty) throw new ConnectionError('it ended before it told anything', { wasSent: true })
  } catch (cause) {
    if (signal.aborted) return
    throw errorOfConnection({ verb: 'watch', kind }, silence.signal.aborted ? silence.signal.reason : cause)
  } finally {
    callOff()
    silence.abort()
  }
}

interface WireEvent {
  readonly type?: unknown
  readonly object?: { readonly metadata?: Partial<ObjectMeta> | null; readonly code?: number } | null
}

/** A line that is no event means that events may have been lost, so it ends the watch as an expired version does. */
const parseLine = <T>(kind: Kind, line: string, keep: (object: T) => T): WatchEvent<T> => {
  const asked = { verb: 'watch', kind } as const
  const { type, object } = parseEvent(line) ?? {}
  if (type === 'ERROR' && object !== undefined && object !== null) {
    throw errorOfReply(asked, { status: object.code ?? 500, retryAfter: undefined, body: JSON.stringify(object) })
  }
  const version = object?.metadata?.resourceVersion
  if (typeof version !== 'string') throw junk(kind)
  if (type === 'BOOKMARK') {
    const endsInitial = object?.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true'
    return { type, version, endsInitial }
  }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') throw junk(kind)
  return { type, object: keep({ ...object, apiVersion: apiVersionOf(kind), kind: kind.kind } as T) }
}

/** Without the parser's error: it quotes what it read. */
const parseEvent = (line: string): WireEvent | undefined => {
  try {
    return (JSON.parse(line) as WireEvent | null) ?? undefined
  } catch {
    return undefined
  }
}

const junk = (kind: Kind): ApiError =>
  new ApiError({ verb: 'watch', kind }, { why: 'a line was no event', class: 'gone' })
