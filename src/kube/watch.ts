import { seconds } from '../pure/duration.ts'
import { apiVersionOf, type Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { ApiError, errorOfConnection, errorOfReply } from './api-error.ts'
import type { Client, Extent, Selection } from './client.ts'
import type { Clock } from './clock.ts'
import { linesOf } from './lines.ts'
import { ConnectionError } from './port.ts'

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubeObject }

export interface Watching {
  readonly kind: Kind
  readonly selection: Selection
  readonly extent: Extent
  /** Changes after this version are sent. */
  readonly from: string
}

// The server sends a bookmark about every 60 s: a link that is silent for longer carries nothing any more.
const longestSilence = seconds(70)

/** The changes of a kind, until the server ends the stream or it falls silent. Throws ApiError. */
export async function* watch<T extends KubeObject>(
  client: Client,
  clock: Clock,
  watching: Watching,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  const { kind, selection, extent, from } = watching
  const asked = { verb: 'watch', kind } as const
  const silence = new AbortController()
  const cut = () => silence.abort(new ConnectionError('it fell silent', { wasSent: true }))
  let callOff = clock.after(longestSilence, cut)
  try {
    const query = { allowWatchBookmarks: 'true', resourceVersion: from }
    const until = AbortSignal.any([signal, silence.signal])
    const stream = await client.openWatch(kind, selection, { extent, query }, until)
    let isEmpty = true
    for await (const line of linesOf(stream.body)) {
      isEmpty = false
      callOff()
      callOff = clock.after(longestSilence, cut)
      yield parseLine<T>(kind, line)
    }
    // Else a server that closes every watch at once would be dialled without a pause.
    if (isEmpty) throw new ConnectionError('it ended before it told anything', { wasSent: true })
  } catch (cause) {
    if (signal.aborted) return
    throw errorOfConnection(asked, silence.signal.aborted ? silence.signal.reason : cause)
  } finally {
    callOff()
    silence.abort()
  }
}

/** A line that is no event means that events may have been lost, so it ends the watch as an expired version does. */
const parseLine = <T>(kind: Kind, line: string): WatchEvent<T> => {
  let event: { type: string; object: T & { code?: number } }
  try {
    event = JSON.parse(line) as typeof event
  } catch {
    // Without the parser's error: it quotes what it read.
    throw new ApiError({ verb: 'watch', kind }, { why: 'a line was no event', class: 'gone' })
  }
  const { type, object } = event
  if (type === 'ERROR')
    throw errorOfReply(
      { verb: 'watch', kind },
      { status: object.code ?? 500, retryAfter: undefined, body: JSON.stringify(object) },
    )
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK') {
    throw new ApiError({ verb: 'watch', kind }, { why: 'an event has an unknown type', class: 'gone' })
  }
  return { type, object: { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind } } as WatchEvent<T>
}
