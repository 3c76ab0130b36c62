import { crdOf } from '../api/crd.ts'
import { kinds } from '../api/kinds.ts'
import { isApiError } from '../kube/api-error.ts'
import type { Client } from '../kube/client.ts'
import { CustomResourceDefinition, crdNameOf, type Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { eventually } from './eventually.ts'

interface Crd extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** Installs our kinds on a new cluster and waits until they are served. Returns how many there are. */
export const installCrds = async (client: Client): Promise<number> => {
  for (const kind of kinds) {
    await client.create(CustomResourceDefinition, crdOf(kind), 'holdfast-dev')
    await servedKind(client, kind)
  }
  return kinds.length
}

/**
 * Resolves when a kind that was just defined can be worked with.
 * @internal
 */
export const servedKind = async (client: Client, kind: Kind): Promise<void> => {
  const name = crdNameOf(kind)
  await eventually(`${name} is established`, async () => {
    const live = await client.get<Crd>(CustomResourceDefinition, { name })
    return live?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')
  })
  await eventually(`${name} is served`, () => canWatch(client, kind))
}

/** Established is not served: for a moment longer the server asks everybody to come later. */
const canWatch = async (client: Client, kind: Kind): Promise<boolean> => {
  const stop = new AbortController()
  try {
    await client.openWatch(kind, {}, { extent: 'metadata', query: {} }, stop.signal)
    return true
  } catch (error) {
    if (isApiError(error, 'throttled')) return false
    throw error
  } finally {
    stop.abort()
  }
}
