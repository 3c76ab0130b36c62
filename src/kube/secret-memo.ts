import { fingerprintOfJson } from '../pure/fingerprint.ts'
import type { KubeObject } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'
import type { Inspector } from './view.ts'

/** A Secret as the API server has it: values in base64. */
export interface WholeSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
  readonly immutable?: boolean
  readonly type?: string
}

const mostRecent = 256
const largestCopy = 4096

/**
 * Remembers what Secrets come down to, never what they hold: one version of a Secret costs one read at most, and none
 * when a list or a write of ours has shown it.
 */
export class SecretMemo<D> implements Inspector {
  readonly #digests = new Map<string, { readonly resourceVersion: string; readonly digest: D }>()
  readonly #digestOf: (secret: WholeSecret) => D
  /** By fingerprint of the data: the copies of one key come close together, and deriving it is what a digest costs. */
  readonly #recent = new Map<string, D>()

  constructor(digestOf: (secret: WholeSecret) => D) {
    this.#digestOf = digestOf
  }

  saw(object: KubeObject): void {
    const { uid, resourceVersion } = object.metadata
    const known = this.#digests.get(uid)
    if (known !== undefined && !isOlder(known.resourceVersion, resourceVersion)) return
    this.#digests.set(uid, { resourceVersion, digest: this.#digest(object) })
  }

  /** What a Secret comes down to that was read whole just now, whatever has become of it since. */
  digest(object: KubeObject): D {
    return this.#digest(object)
  }

  left(uid: string): void {
    this.#digests.delete(uid)
  }

  /** The digest of this very version; undefined when it has not been seen whole. */
  recall({ metadata }: KubeObject): D | undefined {
    const entry = this.#digests.get(metadata.uid)
    return entry?.resourceVersion === metadata.resourceVersion ? entry.digest : undefined
  }

  #digest(secret: WholeSecret): D {
    const { data = {}, immutable, type } = secret
    // No copy of a key is as large: to take a fingerprint of everything that somebody has put there would hold us up.
    if (Object.values(data).reduce((sum, value) => sum + value.length, 0) > largestCopy) return this.#digestOf(secret)
    const fingerprint = fingerprintOfJson({ data, immutable, type })
    const digest = this.#recent.get(fingerprint) ?? this.#digestOf(secret)
    this.#recent.set(fingerprint, digest)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > mostRecent && oldest !== undefined) this.#recent.delete(oldest)
    return digest
  }
}
