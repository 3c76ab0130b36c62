import type { Kubelet } from '../../src/dev/kubelet.ts'
import type { PlayedPod } from '../../src/dev/kubelet-pod.ts'
import type { Fate } from '../../src/dev/kubelet-status.ts'
import type { Client } from '../../src/kube/client.ts'
import { ConfigMap } from '../../src/pure/kind.ts'
import { isTerminating, type KubeObject } from '../../src/pure/object.ts'
import { type TrustedKeys, verifyToken } from './token-verifier.ts'

interface LedgerPod extends PlayedPod {
  readonly spec: PlayedPod['spec'] & {
    readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
    readonly containers: readonly {
      readonly name: string
      readonly image: string
      readonly env?: readonly { readonly name: string; readonly value?: string }[]
    }[]
  }
}

interface Running {
  readonly pod: LedgerPod
  readonly keys: TrustedKeys
}

const noKeys: TrustedKeys = { authKeys: { keys: [] }, files: {} }

/**
 * The ledgers that would run in the pods: each loads its keys once, when it starts, from what its pod mounts then. Those
 * that a real one refuses to start with, it refuses too.
 */
export class PlayedLedgers {
  readonly #client: Client
  readonly #running = new Map<string, Running>()
  readonly #gone = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #held = new Set<string>()
  #kubelet: Kubelet | undefined

  constructor(client: Client) {
    this.#client = client
  }

  /** From now on the kubelet asks here what becomes of a pod. */
  joinKubelet(kubelet: Kubelet): void {
    this.#kubelet = kubelet
    kubelet.setFate(this.#fate)
  }

  /** New pods of this namespace do not come up, until they are let go. */
  hold(namespace: string): void {
    this.#held.add(namespace)
  }

  letGo(namespace: string): void {
    this.#held.delete(namespace)
    this.#kubelet?.setFate(this.#fate)
  }

  /** What every pod of a namespace that runs answers to a list of ledgers with this token. */
  answersIn(namespace: string, token: string, now?: number): readonly number[] {
    return this.#podsIn(namespace).map(({ keys }) => verifyToken(token, keys, now).read)
  }

  keyIdsIn(namespace: string): readonly (readonly string[])[] {
    return this.#podsIn(namespace).map(({ keys }) => keys.authKeys.keys.map(({ keyId }) => keyId))
  }

  /** Pods that a real ledger would not have started in. */
  get refused(): readonly string[] {
    return [...this.#refused]
  }

  /** A pod is gone; whoever it was knows no keys any more. */
  forget(uid: string): void {
    this.#gone.add(uid)
    this.#running.delete(uid)
  }

  #podsIn(namespace: string): readonly Running[] {
    return [...this.#running.values()].filter(({ pod }) => pod.metadata.namespace === namespace)
  }

  readonly #fate = async (pod: PlayedPod): Promise<Fate> => {
    const { uid, namespace = '' } = pod.metadata
    if (isTerminating(pod)) return 'hold'
    if (this.#running.has(uid)) return 'run'
    return this.#held.has(namespace) ? 'hold' : this.#start(pod)
  }

  async #start(pod: LedgerPod): Promise<Fate> {
    const keys = await this.#keysOf(pod)
    const { uid, namespace, name } = pod.metadata
    // It may have gone while its keys were read.
    if (this.#gone.has(uid)) return 'hold'
    this.#running.set(uid, { pod, keys })
    const env = pod.spec.containers[0]?.env ?? []
    const valueOf = (variable: string) => env.findLast((one) => one.name === variable)?.value
    const isAuthOn = valueOf('AUTH_ENABLED') === 'true'
    const hasList = valueOf('AUTH_ED25519_KEYS') !== undefined
    const hasIssuer = (valueOf('AUTH_ISSUER') ?? '') !== ''
    const isSound = hasList ? isAuthOn && keys.authKeys.keys.length > 0 : !isAuthOn || hasIssuer
    if (!isSound) this.#refused.add(`${namespace}/${name}`)
    return 'run'
  }

  /** Fails while what the pod mounts is not there: then it does not start, and is tried again. */
  async #keysOf({ metadata: { namespace }, spec }: LedgerPod): Promise<TrustedKeys> {
    const name = spec.volumes?.find((volume) => volume.name === 'auth-keys')?.configMap?.name
    if (name === undefined) return noKeys
    const list = await this.#client.get<KubeObject & { data?: Record<string, string> }>(ConfigMap, { namespace, name })
    const { 'auth-keys.json': json, ...files } = list?.data ?? {}
    if (json === undefined) throw new Error(`key list ${namespace}/${name} is not there`)
    return { authKeys: JSON.parse(json) as TrustedKeys['authKeys'], files }
  }
}
