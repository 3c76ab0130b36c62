import type { Effect, Marks } from '../../pure/effects.ts'
import { type Generation, isBroughtBack, succeededBy } from '../../pure/generation.ts'
import type { Move } from '../../pure/generations.ts'
import { Secret } from '../../pure/kind.ts'
import {
  currentSinceAnnotation,
  deleteAnnotation,
  droppedAnnotation,
  keyIdAnnotation,
  retiredUidAnnotation,
  retiresAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
  succeedsAnnotation,
} from '../../pure/names.ts'
import { keyOf, preconditionOf } from '../../pure/object.ts'
import type { Step } from '../../pure/plan.ts'
import { formatRevokedKeys } from '../../pure/revoked-keys.ts'
import { printTime } from '../../pure/time.ts'
import type { Observed, SeenSecret } from './observed.ts'
import { revokedIdsOf, soundly } from './ownership.ts'
import { renderGeneration } from './render/generation.ts'
import type { Keys } from './situation.ts'
import { condemn, remove } from './withdraw.ts'

/** What the course of an agent's keys comes to: marks first, then what goes, then what is born. */
export const carryOut = (observed: Observed, keys: Keys): { readonly marks: Step; readonly later: readonly Step[] } => {
  const { moves } = keys.course
  const secretsOf = ({ generation: { number } }: Exclude<Move, { is: 'mint' }>) =>
    keys.held.filter(({ generation }) => generation.number === number).map(({ secret }) => secret)
  const deleted = moves.flatMap((move) =>
    move.is === 'delete' ? secretsOf(move).flatMap(removing(move.generation)) : [],
  )
  const born = moves.flatMap((move) => (move.is === 'mint' ? [mint(observed, move, keys)] : []))
  return {
    marks: moves.flatMap((move) => (move.is === 'mint' ? [] : secretsOf(move).flatMap(marked(observed, move, keys)))),
    later: [deleted, born].filter((step) => step.length > 0),
  }
}

const removing =
  ({ revokedAt }: Generation) =>
  (secret: SeenSecret): readonly Effect[] => {
    const event = revokedAt === undefined ? 'Retired' : 'RevokedKeyDeleted'
    return remove(secret).map((effect) => ({ ...effect, event }))
  }

const marked =
  ({ now }: Observed, move: Exclude<Move, { is: 'mint' }>, { held }: Keys) =>
  (secret: SeenSecret): readonly Effect[] => {
    const all = held.map(({ generation }) => generation)
    switch (move.is) {
      case 'promote':
        // One that retires stands again, because its successor was taken back.
        return [
          markOf(secret, {
            annotations: {
              [currentSinceAnnotation]: printTime(now),
              [succeedsAnnotation]: succeededBy(move.generation.number, all),
              [retiresAnnotation]: null,
              [retiredUidAnnotation]: null,
            },
          }),
        ]
      case 'retire':
        return [
          markOf(secret, {
            annotations: {
              [retiresAnnotation]: printTime(move.at),
              ...(!isBroughtBack(move.generation, all) && { [retiredUidAnnotation]: secret.metadata.uid }),
              // A mark that somebody left while the key was in use is not meant for its end.
              [deleteAnnotation]: null,
            },
          }),
        ]
      case 'revoke':
        return [markOf(secret, { annotations: { [revokedAnnotation]: printTime(now) } })]
      case 'drop':
        // Recorded, so that the condition can say how long the revocation took.
        return [markOf(secret, { annotations: { [droppedAnnotation]: printTime(now) } })]
      case 'remember':
        return [markOf(secret, { annotations: { [revokedKeysAnnotation]: formatRevokedKeys(move.revokedKeys) } })]
      case 'end':
      case 'delete':
        return condemn(secret)
      default:
        return move satisfies never
    }
  }

/**
 * Writes down what was taken back, also while nothing else can or shall be done with the keys: services act on the
 * annotation that asks for it, and that may be gone before anything else happens.
 */
export const takeBack = (observed: Observed): Step => {
  const revoked = revokedIdsOf(observed)
  return observed.generations
    .filter((secret) => revoked.has(keyIdOf(secret) ?? '') && !isTakenBack(secret))
    .map((secret) => markOf(secret, { annotations: { [revokedAnnotation]: printTime(observed.now) } }))
}

/** What cannot be read is known by its mark, which nobody may change. */
const keyIdOf = (secret: SeenSecret): string | undefined =>
  soundly(secret)[0]?.key.keyId ?? secret.metadata.annotations?.[keyIdAnnotation]

const isTakenBack = ({ metadata }: SeenSecret): boolean => metadata.annotations?.[revokedAnnotation] !== undefined

const markOf = (secret: SeenSecret, set: Marks): Effect => ({
  do: 'mark',
  kind: Secret,
  key: keyOf(secret),
  on: preconditionOf(secret),
  set,
})

const mint = (
  observed: Observed,
  { number, lineage, request, isCurrent, revokedKeys }: Move & { is: 'mint' },
  { held }: Keys,
): Effect => ({
  do: 'mint',
  object: renderGeneration(observed, { number, lineage, request, isCurrent, revokedKeys, held }),
  recipe: 'agent-key',
  event: 'Minted',
})
