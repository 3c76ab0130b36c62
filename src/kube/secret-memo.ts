import { Secret } from '../pure/kind.ts'
import type { Known } from '../pure/known.ts'
import type { KubeObject } from '../pure/object.ts'
import { isOlder } from '../pure/resource-version.ts'
import { isApiError } from './api-error.ts'
import type { Client } from './client.ts'
import type { Inspector } from './informer.ts'

interface WholeSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

/**
 * Remembers what Secrets come down to, never what they hold: one version of a Secret costs one read at most, and none
 * when a list or a write of ours has shown it.
 */
export class SecretMemo<D> implements Inspector {
  readonly #digests = new Map<string, { readonly resourceVersion: string; readonly digest: D }>()
  readonly #digestOf: (data: Readonly<Record<string, string>>) => D

  constructor(digestOf: (data: Readonly<Record<string, string>>) => D) {
    this.#digestOf = digestOf
  }

  saw(object: KubeObject): void {
    const { uid, resourceVersion } = object.metadata
    const known = this.#digests.get(uid)
    if (known !== undefined && !isOlder(known.resourceVersion, resourceVersion)) return
    this.#digests.set(uid, { resourceVersion, digest: this.#digestOf((object as WholeSecret).data ?? {}) })
  }

  left(uid: string): void {
    this.#digests.delete(uid)
  }

  /** The digest of this very version; read once when it is not known yet. */
  async of({ metadata }: KubeObject, client: Client): Promise<Known<D>> {
    const known = this.#recall(metadata)
    if (known !== undefined) return { known }
    try {
      const secret = await client.get<WholeSecret>(Secret, metadata)
      if (secret !== undefined) this.saw(secret)
    } catch (error) {
      if (isApiError(error)) return { unknown: error.message }
      throw error
    }
    const read = this.#recall(metadata)
    return read === undefined ? { unknown: 'it is being changed' } : { known: read }
  }

  #recall({ uid, resourceVersion }: KubeObject['metadata']): D | undefined {
    const entry = this.#digests.get(uid)
    return entry?.resourceVersion === resourceVersion ? entry.digest : undefined
  }
}
