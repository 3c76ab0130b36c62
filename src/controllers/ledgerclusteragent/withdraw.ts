import { type Effect, independently } from '../../pure/effects.ts'
import { Secret } from '../../pure/kind.ts'
import { deleteAnnotation, keyIdAnnotation } from '../../pure/names.ts'
import { isTerminating, keyOf, preconditionOf } from '../../pure/object.ts'
import type { Step } from '../../pure/plan.ts'
import type { SeenSecret } from './observed.ts'
import type { Stage } from './stage.ts'

/** Copies, then the keys themselves, then our hold on the agent; what somebody else's finalizer keeps is waited for. */
export const withdraw = (stage: Stage & { is: 'withdrawing' }, release: Step): readonly Step[] => {
  const { copies, awaited, generations, mayGoThen } = stage
  // Another installation's canonical Secret is guarded as ours is.
  const marks = copies.flatMap(condemn)
  const removalOf = (copy: SeenSecret) => (awaited.includes(copy) ? remove(copy) : independently(remove(copy)))
  const removals = [...(marks.length === 0 ? [] : [marks]), copies.flatMap(removalOf)]
  if (awaited.some(isHeld)) return removals
  const isLast = mayGoThen && !generations.some(isHeld)
  return [...removals, generations.flatMap(condemn), generations.flatMap(remove), isLast ? release : []]
}

const isHeld = (secret: SeenSecret): boolean => isTerminating(secret) || (secret.metadata.finalizers ?? []).length > 0

/** A key holder may be deleted only when its own mark says that this very key is meant (docs/install.md). */
export const condemn = (secret: SeenSecret): readonly Effect[] => {
  const { annotations = {} } = secret.metadata
  const keyId = annotations[keyIdAnnotation]
  if (keyId === undefined || annotations[deleteAnnotation] === keyId || isTerminating(secret)) return []
  const set = { annotations: { [deleteAnnotation]: keyId } }
  return [{ do: 'mark', kind: Secret, key: keyOf(secret), on: preconditionOf(secret), set }]
}

/** Nothing when its deletion has been asked for already: somebody else's finalizer holds it. */
export const remove = (secret: SeenSecret): readonly (Effect & { do: 'delete' })[] =>
  isTerminating(secret) ? [] : [{ do: 'delete', kind: Secret, key: keyOf(secret), uid: secret.metadata.uid }]
