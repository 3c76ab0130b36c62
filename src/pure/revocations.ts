import { revokeAnnotation } from './names.ts'
import type { KubeObject } from './object.ts'

/** The ids of the keys that somebody wants to be accepted no longer. */
export const revocationsOf = ({ metadata }: KubeObject): readonly string[] =>
  [...(metadata.annotations?.[revokeAnnotation] ?? '').matchAll(/[^,]+/g)]
    .map(([keyId]) => keyId.trim().toLowerCase())
    .filter((keyId) => keyId !== '')
