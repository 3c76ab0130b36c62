import type { Kind } from '../pure/kind.ts'
import { ConnectionError, type Port, type WireReply } from './port.ts'

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

interface GroupList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly { readonly version: string; readonly resources: readonly Resource[] }[]
  }[]
}

interface Resource {
  readonly resource: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly responseKind: { readonly kind: string }
}

/** Every kind that the API server serves. */
export const discover = async (port: Port, signal: AbortSignal): Promise<readonly Kind[]> => {
  const roots = await Promise.all(['/api', '/apis'].map((path) => ask(port, path, signal)))
  return roots.flatMap(({ items }) =>
    items.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map(({ resource, scope, responseKind }) => ({
          group: metadata.name ?? '',
          version,
          kind: responseKind.kind,
          plural: resource,
          namespaced: scope === 'Namespaced',
        })),
      ),
    ),
  )
}

const ask = async (port: Port, path: string, signal: AbortSignal): Promise<GroupList> => {
  const failed = (why: string) => new Error(`cannot ask the API server what it serves: ${why}`)
  let reply: WireReply
  try {
    reply = await port.call({ method: 'GET', path, query: {}, accept }, signal)
  } catch (cause) {
    if (!(cause instanceof ConnectionError)) throw cause
    throw failed(`it is not reachable (${cause.message}); check its address and our credentials`)
  }
  if (reply.status !== 200) throw failed(`it answered ${reply.status}; check our credentials`)
  try {
    return JSON.parse(reply.body) as GroupList
  } catch {
    throw failed('its answer is no JSON; check its address')
  }
}
