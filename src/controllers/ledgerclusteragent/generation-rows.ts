import type { AgentStatus } from '../../api/ledgerclusteragent-schema.ts'
import type { Generation } from '../../pure/generation.ts'
import type { Course } from '../../pure/generations.ts'
import { printTime } from '../../pure/time.ts'
import type { Observed } from './observed.ts'
import type { Keys } from './situation.ts'

type Row = NonNullable<AgentStatus['generations']>[number]

/** The agent's keys, as its status shows them. */
export const generationRowsOf = ({ object, now }: Observed, { held, course }: Keys): readonly Row[] =>
  [...held]
    .sort((a, b) => a.generation.number - b.generation.number)
    .map(({ secret, generation }) => {
      const state = stateOf(generation, course)
      const before = object.status?.generations?.find((row) => row.generation === generation.number)
      const made = secret.metadata.creationTimestamp
      const since = sinceMarked(generation, state) ?? (before?.state === state ? before.since : undefined)
      return {
        generation: generation.number,
        keyID: generation.keyId,
        state,
        ...(made !== undefined && { made }),
        since: since ?? (isYoung(state) && made !== undefined ? made : printTime(now)),
        ...(generation.retiresAt !== undefined && { retiresAt: printable(generation.retiresAt) }),
      }
    })

const stateOf = (generation: Generation, { current }: Course): Row['state'] => {
  if (generation.revokedAt !== undefined) return 'Revoked'
  if (generation.isEnding) return 'Draining'
  if (generation.number === current?.number) return 'Current'
  return generation.retiresAt === undefined ? 'Minted' : 'Retiring'
}

const isYoung = (state: Row['state']): boolean => state === 'Minted' || state === 'Current'

/** Marks tell it better than what was shown before. */
const sinceMarked = ({ currentSince, revokedAt }: Generation, state: Row['state']): string | undefined => {
  const at = state === 'Revoked' ? revokedAt : state === 'Current' ? currentSince : undefined
  return at === undefined || !Number.isFinite(at) ? undefined : printTime(at)
}

const printable = (at: number): string | undefined => (Number.isFinite(at) ? printTime(at) : undefined)
