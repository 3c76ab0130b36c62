import type { Known } from '../pure/known.ts'
import { Secret } from '../pure/kind.ts'
import { type KubeObject, keyOf, printKey } from '../pure/object.ts'
import { isApiError } from './api-error.ts'
import type { Reads } from './reads.ts'
import type { SecretMemo } from './secret-memo.ts'

export interface DigestMeans<D> {
  readonly reads: Reads
  readonly memo: SecretMemo<D>
}

/** The Secret with what its content comes down to; undefined when a look at it shows that it is gone. */
const digested = async <D>(
  secret: KubeObject,
  { reads, memo }: DigestMeans<D>,
): Promise<(KubeObject & { readonly key: Known<D> }) | undefined> => {
  const known = memo.recall(secret)
  if (known !== undefined) return { ...secret, key: { known } }
  try {
    await reads.refresh(Secret, keyOf(secret))
  } catch (error) {
    if (!isApiError(error)) throw error
    return { ...secret, key: { unknown: error.message } }
  }
  const fresh = reads.get(Secret, keyOf(secret))
  const digest = fresh && memo.recall(fresh)
  return (
    fresh && {
      ...fresh,
      key: digest === undefined ? { unknown: `Secret ${printKey(keyOf(secret))} is being changed` } : { known: digest },
    }
  )
}

/** All of them that are there, in order. */
export const digestedAll = async <D>(secrets: readonly KubeObject[], means: DigestMeans<D>) => {
  const seen = await Promise.all(secrets.map((secret) => digested(secret, means)))
  return seen
    .filter((secret) => secret !== undefined)
    .sort((a, b) => (printKey(keyOf(a)) < printKey(keyOf(b)) ? -1 : 1))
}
