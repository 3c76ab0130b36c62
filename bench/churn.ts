import { isApiError } from '../src/kube/api-error.ts'
import type { Client } from '../src/kube/client.ts'
import { type KubeObject, keyOf, preconditionOf } from '../src/pure/object.ts'
import { ConfigMap, sampleConfigMap } from './sample-objects.ts'

const objects = 1000
const workers = 8
const manager = 'holdfast-bench'

/** Makes objects, and changes, deletes and makes them anew until the signal is raised. Resolves to the number of writes. */
export const churn = async (client: Client, namespace: string, signal: AbortSignal): Promise<number> => {
  const live = new Map<number, KubeObject>()
  let writes = 0
  const write = async (n: number): Promise<void> => {
    const before = live.get(n)
    writes += 1
    if (before === undefined) {
      live.set(n, await client.create(ConfigMap, sampleConfigMap(namespace, `object-${n}`), manager))
    } else if (writes % 10 === 0) {
      await client.delete(ConfigMap, keyOf(before), before.metadata.uid)
      live.delete(n)
    } else {
      const set = { annotations: { 'example.com/written': String(writes) } }
      live.set(n, await client.mark(ConfigMap, keyOf(before), { on: preconditionOf(before), set }, manager))
    }
  }
  // Each has objects of its own, so that no two ever write to the same.
  const work = async (worker: number) => {
    for (let n = worker; !signal.aborted; n = n + workers < objects ? n + workers : worker) {
      await write(n).catch((error: unknown) => {
        if (!isApiError(error, 'throttled', 'unreachable')) throw error
      })
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
  return writes
}
