import { CoreV1Api, KubeConfig, type KubernetesObject, makeInformer } from '@kubernetes/client-node'
import { pathOf } from '../../src/kube/client.ts'
import type { Reader, Reading } from './reader.ts'

/** As its users write it. It has no way to ask for pages, for metadata only, or for initial events. */
export const clientNode = ({ kind, kubeconfig, onChange }: Reading): Reader => {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const api = config.makeApiClient(CoreV1Api)
  const lists: Readonly<Record<string, () => Promise<{ items: KubernetesObject[] }>>> = {
    pods: () => api.listPodForAllNamespaces(),
    secrets: () => api.listSecretForAllNamespaces(),
    configmaps: () => api.listConfigMapForAllNamespaces(),
  }
  const list = lists[kind.plural] ?? (() => Promise.reject(new Error(`no list of ${kind.plural}`)))
  const informer = makeInformer<KubernetesObject>(config, pathOf(kind, {}), list)
  informer.on('change', (object) => onChange(object.metadata?.resourceVersion))
  return { start: () => informer.start(), size: () => informer.list().length }
}
