import { createInterface } from 'node:readline'
import { pathOf } from '../../src/kube/client.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { bareHttps, readAll } from '../bare-https.ts'
import type { Reader, Reading } from './reader.ts'

interface List {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly KubeObject[]
}

/** One list in one piece, and every line as it comes. */
export const bare = ({ kind, kubeconfig, onChange }: Reading): Reader => {
  const ask = bareHttps(kubeconfig)
  const objects = new Map<string, KubeObject>()
  const put = (object: KubeObject) => {
    objects.set(object.metadata.uid, object)
    onChange(object.metadata.resourceVersion)
  }
  const path = pathOf(kind, {})
  const follow = async (version: string) => {
    const input = await ask(`${path}?watch=true&resourceVersion=${version}`)
    createInterface({ input }).on('line', (line) => put((JSON.parse(line) as { object: KubeObject }).object))
  }
  return {
    async start() {
      const { items, metadata } = (await readAll(await ask(path))) as List
      for (const item of items) put(item)
      void follow(metadata.resourceVersion)
    },
    size: () => objects.size,
  }
}
