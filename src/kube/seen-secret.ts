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

/**
 * The Secret with what its content comes down to; undefined when a look at it shows that it is gone. One that changes
 * all the time is seen as it was when it was read: a write for that version is refused if it matters.
 */
const digested = async <D>(
  secret: KubeObject,
  { reads, memo }: DigestMeans<D>,
): Promise<(KubeObject & { readonly key: Known<D> }) | undefined> => {
  const known = memo.recall(secret)
  if (known !== undefined) return { ...secret, key: { known } }
  try {
    const read = await reads.refresh(Secret, keyOf(secret))
    return read && { ...read.kept, key: { known: memo.digest(read.whole) } }
  } catch (error) {
    if (!isApiError(error)) throw error
    return { ...secret, key: { unknown: error.message } }
  }
}

/** All of them that are there, in order. */
export const digestedAll = async <D>(secrets: readonly KubeObject[], means: DigestMeans<D>) => {
  const seen = await Promise.all(secrets.map((secret) => digested(secret, means)))
  return seen
    .filter((secret) => secret !== undefined)
    .sort((a, b) => (printKey(keyOf(a)) < printKey(keyOf(b)) ? -1 : 1))
}
