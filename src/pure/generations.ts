import { agentNames, generationAnnotation, retiresAnnotation, revokedAnnotation } from './names.ts'
import type { ObjectMeta } from './object.ts'

/** Which of an agent's keys is the one to sign with. */
export type CurrentGeneration =
  | { readonly is: 'current'; readonly secret: ObjectMeta }
  | { readonly is: 'none' }
  /** Two Secrets say that they are the same generation: which of them is meant is not ours to guess. */
  | { readonly is: 'several'; readonly secrets: readonly ObjectMeta[] }

/**
 * Among the Secrets in the operator's namespace that carry the agent's label: the lowest generation that neither
 * retires nor is revoked. A higher one is a key that services do not know yet.
 */
export const currentGeneration = (agent: string, secrets: readonly ObjectMeta[]): CurrentGeneration => {
  const standing = secrets.flatMap((secret) => {
    const generation = generationOf(agent, secret)
    return generation === undefined || isLeaving(secret) ? [] : [{ secret, generation }]
  })
  const lowest = Math.min(...standing.map(({ generation }) => generation))
  const [secret, ...others] = standing.filter(({ generation }) => generation === lowest).map(({ secret: of }) => of)
  if (secret === undefined) return { is: 'none' }
  return others.length === 0 ? { is: 'current', secret } : { is: 'several', secrets: [secret, ...others] }
}

/** A canonical Secret that was made before there were generations is the first; all else without a mark is a copy. */
const generationOf = (agent: string, { name, annotations = {} }: ObjectMeta): number | undefined => {
  const mark = annotations[generationAnnotation]
  if (mark === undefined) return name === agentNames.canonical(agent) ? 1 : undefined
  return /^[1-9]\d*$/.test(mark) ? Number(mark) : undefined
}

const isLeaving = ({ annotations = {} }: ObjectMeta): boolean =>
  retiresAnnotation in annotations || revokedAnnotation in annotations
