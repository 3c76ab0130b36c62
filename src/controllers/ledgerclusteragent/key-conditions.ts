import type { AgentCondition } from '../../api/ledgerclusteragent.ts'
import { milliseconds } from '../../pure/duration.ts'
import type { Wait } from '../../pure/generations.ts'
import { podsWithList } from '../../pure/key-rollout.ts'
import { printAge } from '../../pure/age.ts'
import { revocationsOf } from '../../pure/revocations.ts'
import { rememberedAmong, type RevokedKey } from '../../pure/revoked-keys.ts'
import { printTime } from '../../pure/time.ts'
import { listed } from '../../pure/wording.ts'
import type { Observed } from './observed.ts'
import { isExplained, type Keys, type SoundGeneration } from './situation.ts'

export const rotationComplete = 'RotationComplete'
export const revocationComplete = 'RevocationComplete'

/** What an exchange of keys waits for; nothing when there is none. */
export const rotationOf = ({ held, course }: Keys): readonly AgentCondition[] => {
  const waits = course.waits.filter(({ keyId }) => !isRevoked(held, keyId))
  if (waits.length === 0) return []
  const isUp = waits.every((wait) => wait.for === 'end')
  const reason = isUp ? 'Overlapping' : 'RotationWaiting'
  return [{ type: rotationComplete, status: 'False', reason, message: waits.map(printWait).join('; ') }]
}

const printWait = (wait: Wait): string => {
  switch (wait.for) {
    case 'loading':
      return `key ${wait.keyId} is used as soon as every service has loaded it; waiting for ${listed(wait.consumers)}`
    case 'draining':
      return `key ${wait.keyId} has ended, and leaves ${listed(wait.consumers)}`
    case 'carriers':
      return `key ${wait.keyId} is accepted as long as there are copies of it: ${listed(wait.places)}`
    case 'retirement':
      return `this agent already has ${wait.count} keys that are accepted; the next key is made when one of them has retired`
    case 'end':
      return `key ${wait.keyId} is accepted until ${Number.isFinite(wait.at) ? printTime(wait.at) : 'somebody corrects its mark'}`
    default:
      return wait satisfies never
  }
}

const isRevoked = (held: readonly SoundGeneration[], keyId: string): boolean =>
  held.some(({ generation }) => generation.keyId === keyId && generation.revokedAt !== undefined)

/** How far the keys that were taken back have left the services. */
export const revocationOf = (observed: Observed, { held, course }: Keys): readonly AgentCondition[] => {
  const type = revocationComplete
  const revocations = revocationsOf(observed.object)
  const strange = unknownAmong(revocations, held)
  const under = course.waits.filter(({ keyId }) => isRevoked(held, keyId)).map((wait) => progressOf(wait, observed))
  if (under.length > 0) {
    return [{ type, status: 'False', reason: 'Revoking', message: [...under, ...strange].join('; ') }]
  }
  const done = doneAmong(revocations, held).flatMap(timeTaken)
  if (strange.length > 0)
    return [{ type, status: 'False', reason: 'UnknownKey', message: [...strange, ...done].join('; ') }]
  return done.length === 0 ? [] : [{ type, status: 'True', reason: 'Revoked', message: done.join('; ') }]
}

const unknownAmong = (revocations: readonly string[], held: readonly SoundGeneration[]): readonly string[] => {
  const unknown = revocations.filter((keyId) => !isExplained(keyId, held))
  if (unknown.length === 0) return []
  const known = listed(held.map(({ key }) => key.keyId))
  return [`key ${listed(unknown)} shall be revoked, but is no key of this agent; its keys are ${known}`]
}

const progressOf = ({ keyId, ...wait }: Wait, { consumers }: Observed): string => {
  const names = wait.for === 'draining' ? wait.consumers : []
  const counts = consumers.map(podsWithList)
  const done = counts.reduce((sum, count) => sum + count.done, 0)
  const all = counts.reduce((sum, count) => sum + count.all, 0)
  return `key ${keyId} is revoked; ${done} of ${all} pods have dropped it; waiting for ${listed(names)}`
}

/** The revoked keys whose Secrets are there, and those that the annotation names and a generation remembers. */
const doneAmong = (revocations: readonly string[], held: readonly SoundGeneration[]): readonly RevokedKey[] => {
  const generations = held.map(({ generation }) => generation)
  const isHeld = (id: string) => generations.some(({ keyId }) => keyId === id)
  const remembered = rememberedAmong(generations).filter(({ keyId }) => revocations.includes(keyId) && !isHeld(keyId))
  return [...remembered, ...generations]
}

const timeTaken = ({ keyId, revokedAt, droppedAt }: RevokedKey): readonly string[] => {
  if (revokedAt === undefined || droppedAt === undefined) return []
  const took = milliseconds(Math.max(0, droppedAt - revokedAt))
  return [`key ${keyId} left the last pod ${printAge(took)} after it was revoked`]
}
