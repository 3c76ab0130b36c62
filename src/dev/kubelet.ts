import { type Asked, errorOfConnection, errorOfReply, isApiError } from '../kube/api-error.ts'
import { createClient, pathOf } from '../kube/client.ts'
import type { Clock } from '../kube/clock.ts'
import { Informer } from '../kube/informer.ts'
import type { Port, WireReply, WireRequest } from '../kube/port.ts'
import { Turnstile } from '../kube/turnstile.ts'
import { apiVersionOf, Pod } from '../pure/kind.ts'
import { isTerminating, keyOf, preconditionOf, printKey } from '../pure/object.ts'
import { Queue } from '../runtime/queue.ts'
import type { PlayedPod, PodStatus } from './kubelet-pod.ts'
import { type Fate, nextStatus, usualFate } from './kubelet-status.ts'

/** What becomes of a pod; undefined for what usually does. One that fails is asked again. */
export type FateRule = (pod: PlayedPod) => Fate | undefined | Promise<Fate | undefined>

export interface KubeletOptions {
  readonly port: Port
  readonly clock: Clock
  readonly fate?: FateRule
  /** Says what went wrong with a watch or a write; it goes on by itself. */
  readonly onTrouble?: (error: unknown) => void
}

/** Plays the kubelets of a cluster that has none. */
export interface Kubelet extends AsyncDisposable {
  /** From now on this is the rule, also for the pods that there are. What has ended stays so. */
  setFate(rule: FateRule): void
  stop(): Promise<void>
}

/**
 * Writes the status that the pods' containers would have if there were any, and lets deleted pods go. One kubelet per
 * cluster: two with different rules would never come to rest. Resolves when the first list of pods is in.
 */
export const startKubelet = async (options: KubeletOptions): Promise<Kubelet> => {
  const { port, clock, onTrouble = () => undefined } = options
  let rule: FateRule = options.fate ?? usualFate
  const stopped = new AbortController()
  const { signal } = stopped
  const wires = { client: createClient(port, signal), clock, signal, syncs: new Turnstile(1), onTrouble }
  const informer = new Informer<PlayedPod>({ kind: Pod, choice: {}, extent: 'whole', indexes: {} }, undefined, wires)
  const queue = new Queue(clock)
  informer.store.onChange((_before, after) => {
    if (after !== undefined) queue.add(printKey(keyOf(after)))
  })

  const look = async (pod: PlayedPod): Promise<void> => {
    if (isTerminating(pod)) return remove(port, pod, signal)
    const status = nextStatus(pod, (await rule(pod)) ?? usualFate(pod), new Date(clock.now()).toISOString())
    if (status !== undefined) informer.shown(await writeStatus(port, pod, status, signal))
  }
  const work = async (): Promise<void> => {
    for (;;) {
      const key = await queue.take(signal)
      if (key === undefined) return
      try {
        const pod = informer.store.get(key)
        if (pod !== undefined) await look(pod)
        queue.forgive(key)
      } catch (error) {
        // The pod has moved on, and its event is on the way.
        const isOld = isApiError(error, 'conflict', 'gone')
        if (!isOld) queue.retry(key)
        if (!isOld && !signal.aborted) onTrouble(error)
      } finally {
        queue.done(key)
      }
    }
  }
  const running = Promise.all([informer.run(), work()])
  await informer.synced

  const stop = async (): Promise<void> => {
    queue.close()
    stopped.abort()
    await running
  }
  return {
    setFate(next) {
      rule = next
      for (const pod of informer.store.list()) queue.add(printKey(keyOf(pod)))
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const writeStatus = async (port: Port, pod: PlayedPod, status: PodStatus, signal: AbortSignal): Promise<PlayedPod> => {
  const asked: Asked = { verb: 'mark', kind: Pod, key: keyOf(pod) }
  const request = {
    method: 'PATCH',
    path: `${pathOf(Pod, pod.metadata)}/status`,
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ metadata: preconditionOf(pod), status }),
  } as const
  const reply = await send(port, asked, request, signal)
  return { ...(JSON.parse(reply.body) as PlayedPod), apiVersion: apiVersionOf(Pod), kind: Pod.kind }
}

/** Without a grace period: that is how a kubelet says that the containers have ended. */
const remove = async (port: Port, pod: PlayedPod, signal: AbortSignal): Promise<void> => {
  // What is left of it then waits for a finalizer.
  if (pod.metadata.deletionGracePeriodSeconds === 0) return
  const asked: Asked = { verb: 'delete', kind: Pod, key: keyOf(pod) }
  const preconditions = { uid: pod.metadata.uid }
  const request = {
    method: 'DELETE',
    path: pathOf(Pod, pod.metadata),
    contentType: 'application/json',
    body: JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions }),
  } as const
  await send(port, asked, request, signal)
}

const send = async (
  port: Port,
  asked: Asked,
  request: Omit<WireRequest, 'query' | 'accept'>,
  signal: AbortSignal,
): Promise<WireReply> => {
  const reply = await port
    .call({ ...request, query: { fieldManager: 'kubelet' }, accept: 'application/json' }, signal)
    .catch((cause: unknown) => {
      throw errorOfConnection(asked, cause)
    })
  if (reply.status >= 300) throw errorOfReply(asked, reply)
  return reply
}
