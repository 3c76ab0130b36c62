import { claimAnnotation } from '../../pure/names.ts'
import { type Obstacle, obstaclesOf } from './held.ts'
import { isMarked, type Observed } from './observed.ts'

/** The situations that a service can be in. */
export type Stage =
  | { readonly is: 'claimed-elsewhere'; readonly by: string }
  /** Our claim is still missing. */
  | { readonly is: 'unmarked' }
  /** Nothing of its workload is written, but the keys that it has loaded are kept in step. */
  | { readonly is: 'held'; readonly obstacles: readonly [Obstacle, ...Obstacle[]] }
  | { readonly is: 'kept' }

export const stageOf = (observed: Observed): Stage => {
  const { object, operatorNamespace } = observed
  const claim = object.metadata.annotations?.[claimAnnotation]
  if (claim !== undefined && claim !== operatorNamespace) return { is: 'claimed-elsewhere', by: claim }
  if (!isMarked(observed)) return { is: 'unmarked' }
  const [first, ...others] = obstaclesOf(observed)
  return first === undefined ? { is: 'kept' } : { is: 'held', obstacles: [first, ...others] }
}
