import { crdOf } from '../api/crd.ts'
import { kinds } from '../api/kinds.ts'
import type { Client } from '../kube/client.ts'
import { CustomResourceDefinition } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import { eventually } from './eventually.ts'

interface Crd extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** Installs our kinds on a new cluster and waits until they are served. Returns how many there are. */
export const installCrds = async (client: Client): Promise<number> => {
  for (const kind of kinds) {
    const { metadata } = await client.create(CustomResourceDefinition, crdOf(kind), 'holdfast-dev')
    await eventually(`${metadata.name} is established`, async () => {
      const live = await client.get<Crd>(CustomResourceDefinition, metadata)
      return live?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')
    })
  }
  return kinds.length
}
