import type { Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import type { Client, Extent, Page, Selection } from './client.ts'

/** How much is brought at once. */
export interface Paging {
  readonly extent: Extent
  readonly limit?: number
}

// Small enough to be parsed without holding up anything else.
const pageSize = 500

/** A list in pages, which are all of one version. */
export async function* pagesOf<T extends KubeObject>(
  client: Client,
  kind: Kind,
  selection: Selection,
  { extent, limit = pageSize }: Paging,
): AsyncGenerator<Page<T>> {
  let next: string | undefined
  do {
    const page = await client.list<T>(kind, selection, { extent, limit, next })
    yield page
    next = page.next
  } while (next !== undefined)
}
