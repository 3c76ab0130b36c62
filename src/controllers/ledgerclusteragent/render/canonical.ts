import type { Desired } from '../../../pure/effects.ts'
import { agentNames, claimAnnotation, generationAnnotation, keyIdAnnotation } from '../../../pure/names.ts'
import type { Observed } from '../observed.ts'
import type { Sound } from '../ownership.ts'
import { keyDataFrom } from './replica.ts'

const isFirstGeneration = { [generationAnnotation]: '1' }

/** The Secret that is the agent's identity, without a key: one is minted into it. */
export const renderCanonical = ({ object, operatorNamespace }: Observed): Desired => ({
  metadata: {
    namespace: operatorNamespace,
    name: agentNames.canonical(object.metadata.name),
    labels: { [agentNames.label]: object.metadata.name },
    annotations: { ...isFirstGeneration, [claimAnnotation]: operatorNamespace },
  },
  type: 'Opaque',
  immutable: true,
})

/** The same Secret with the key that a replica still holds. */
export const renderRestored = (observed: Observed, source: Sound): Desired => {
  const { metadata, ...rest } = renderCanonical(observed)
  const annotations = { ...metadata.annotations, [keyIdAnnotation]: source.key.keyId }
  return { ...rest, metadata: { ...metadata, annotations }, data: keyDataFrom(source) }
}

/** The marks that a canonical Secret carries whoever made it. */
export const renderCanonicalMarks = ({ object, operatorNamespace }: Observed, keyId: string) => ({
  labels: { [agentNames.label]: object.metadata.name },
  annotations: { ...isFirstGeneration, [claimAnnotation]: operatorNamespace, [keyIdAnnotation]: keyId },
})
