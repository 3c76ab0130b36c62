import type { Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { isApiError } from './api-error.ts'
import type { Client, Extent, Page, Selection } from './client.ts'
import { ReplyTooLarge } from './port.ts'

/** How much is brought at once. */
export interface Paging<T = KubeObject> {
  readonly extent: Extent
  readonly limit?: number
  /** What a page has of an object; all of it if not given. The rest is garbage before the next page is asked for. */
  readonly keep?: (object: T) => T
}

// Small enough to be parsed without holding up anything else.
const pageSize = 500
// A page of one object always has room here: the server takes none above 3 MiB.
const mostBytes = 4 * 1024 * 1024
// What pages grow to: a page above the most is read for nothing.
const comfortable = mostBytes / 2
const shrink = 8

/**
 * A list in pages, which are all of one version. Objects may be of any size: a page that is too large in bytes is asked
 * for again with fewer objects, and pages grow again while they are small.
 */
export async function* pagesOf<T extends KubeObject>(
  client: Client,
  kind: Kind,
  selection: Selection,
  { extent, limit: mostObjects = pageSize, keep = (object) => object }: Paging<T>,
): AsyncGenerator<Page<T>> {
  let next: string | undefined
  let limit = mostObjects
  for (;;) {
    const page = await client
      .list<T>(kind, selection, { extent, limit, next, mostBytes })
      .then(({ items, ...rest }) => ({ ...rest, items: items.map(keep) }), unlessTooLarge(limit))
    if (page === undefined) {
      limit = Math.max(1, Math.floor(limit / shrink))
      continue
    }
    yield page
    if (page.next === undefined) return
    next = page.next
    limit = Math.min(mostObjects, limit + Math.ceil(limit / shrink), fitting(page))
  }
}

/** How many objects fit into a comfortable page, if the next are as large as these. */
const fitting = ({ items, size }: Page<KubeObject>): number =>
  items.length === 0 ? Infinity : Math.max(1, Math.floor((comfortable / size) * items.length))

/** Nothing came of it when there were too many objects; one alone must fit. */
const unlessTooLarge =
  (limit: number) =>
  (error: unknown): undefined => {
    const isTooLarge = isApiError(error) && error.cause instanceof ReplyTooLarge
    if (limit === 1 || !isTooLarge) throw error
  }
