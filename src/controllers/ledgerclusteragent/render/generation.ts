import type { Desired } from '../../../pure/effects.ts'
import { type Ancestor, succeededBy } from '../../../pure/generation.ts'
import {
  agentNames,
  agentUidAnnotation,
  claimAnnotation,
  currentSinceAnnotation,
  generationAnnotation,
  keyIdAnnotation,
  lineageAnnotation,
  requestedByAnnotation,
  revokedKeysAnnotation,
  succeedsAnnotation,
} from '../../../pure/names.ts'
import { formatRevokedKeys, type RevokedKey } from '../../../pure/revoked-keys.ts'
import type { Observed } from '../observed.ts'
import type { Sound } from '../ownership.ts'
import type { SoundGeneration } from '../situation.ts'
import { keyDataFrom } from './replica.ts'
import { printTime } from '../../../pure/time.ts'

/** What is known of a key before there is one. */
export interface GenerationWish {
  readonly number: number
  /** The keys that came before it. */
  readonly lineage: readonly Ancestor[]
  /** The request that it serves. */
  readonly request: string | undefined
  /** Whether it comes after others and is in use from the beginning. */
  readonly isCurrent: boolean
  /** The revoked keys that the other generations remember. */
  readonly revokedKeys: readonly RevokedKey[]
  /** The generations that are there. */
  readonly held: readonly SoundGeneration[]
}

/** A Secret that is one generation of the agent's key, without a key: one is minted into it. */
export const renderGeneration = (observed: Observed, wish: GenerationWish): Desired => {
  const { object, operatorNamespace, now } = observed
  const { number, lineage, request, isCurrent, revokedKeys, held } = wish
  const all = held.map(({ generation }) => generation)
  return {
    metadata: {
      namespace: operatorNamespace,
      name: agentNames.generation(object.metadata.name, number),
      labels: { [agentNames.label]: object.metadata.name },
      annotations: {
        ...basicMarks(observed, number),
        ...(request !== undefined && { [requestedByAnnotation]: request }),
        ...(lineage.length > 0 && { [lineageAnnotation]: JSON.stringify(lineage) }),
        ...(revokedKeys.length > 0 && { [revokedKeysAnnotation]: formatRevokedKeys(revokedKeys) }),
        ...(isCurrent && {
          [currentSinceAnnotation]: printTime(now),
          [succeedsAnnotation]: succeededBy(number, all),
        }),
      },
    },
    type: 'Opaque',
    immutable: true,
  }
}

/** The same Secret with the key that a copy still holds. */
export const renderRestored = (observed: Observed, wish: GenerationWish, source: Sound): Desired => {
  const { metadata, ...rest } = renderGeneration(observed, wish)
  const annotations = { ...metadata.annotations, [keyIdAnnotation]: source.key.keyId }
  return { ...rest, metadata: { ...metadata, annotations }, data: keyDataFrom(source) }
}

/** The marks that every generation carries, whoever made its Secret. */
export const renderMarks = (observed: Observed, number: number, keyId: string) => ({
  labels: { [agentNames.label]: observed.object.metadata.name },
  annotations: { ...basicMarks(observed, number), [keyIdAnnotation]: keyId },
})

const basicMarks = ({ object, operatorNamespace }: Observed, number: number) => ({
  [generationAnnotation]: String(number),
  [claimAnnotation]: operatorNamespace,
  [agentUidAnnotation]: object.metadata.uid,
})
