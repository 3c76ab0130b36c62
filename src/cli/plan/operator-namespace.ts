import { isApiError } from '../../kube/api-error.ts'
import type { Client } from '../../kube/client.ts'
import { pagesOf } from '../../kube/pages.ts'
import { selectionOf } from '../../kube/view.ts'
import type { Kind } from '../../pure/kind.ts'
import { claimAnnotation, usualOperatorNamespace } from '../../pure/names.ts'
import type { KubeObject } from '../../pure/object.ts'
import type { Scope } from '../../pure/scope.ts'
import type { AskedFor } from './asked-for.ts'

interface Search {
  readonly client: Client
  readonly kinds: readonly Kind[]
  readonly watched: Scope['watched']
}

/** The namespace of the operator that has claimed what is asked for; the usual one when that is not one operator. */
export const findOperatorNamespace = async (asked: AskedFor, { client, kinds, watched }: Search): Promise<string> => {
  const places = kinds.flatMap((kind) => placesOf(kind, asked, watched).map((namespace) => ({ kind, namespace })))
  const choice = asked.name === undefined ? {} : { name: asked.name }
  const lists = await Promise.all(
    places.map(async ({ kind, namespace }) => listed(client, kind, selectionOf(choice, namespace))),
  )
  return soleClaimOf(lists.flat()) ?? usualOperatorNamespace
}

const placesOf = ({ namespaced }: Kind, { namespace }: AskedFor, watched: Scope['watched']) => {
  if (!namespaced) return [undefined]
  if (namespace !== undefined) return [namespace]
  return watched === 'all' ? [undefined] : watched
}

const listed = async (client: Client, kind: Kind, selection: object): Promise<readonly KubeObject[]> => {
  try {
    const objects: KubeObject[] = []
    for await (const { items } of pagesOf(client, kind, selection, { extent: 'metadata' })) objects.push(...items)
    return objects
  } catch (error) {
    // A kind that is not installed has no objects; that it is not installed is said later.
    if (isApiError(error) && error.status === 404) return []
    throw error
  }
}

/** The claim that all of these agree on, as far as they have one. */
const soleClaimOf = (objects: readonly KubeObject[]): string | undefined => {
  const claims = new Set(objects.flatMap(({ metadata }) => metadata.annotations?.[claimAnnotation] ?? []))
  const [claim] = claims
  return claims.size === 1 ? claim : undefined
}
