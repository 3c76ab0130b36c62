import { Event } from '../../src/pure/kind.ts'
import type { Verb } from '../kit/request.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import type { Watcher } from './watcher.ts'

/** What the server says to a write that somebody else has done since. Whatever else it says, it may have done it again. */
const refusals: Readonly<Partial<Record<Verb, readonly string[]>>> = {
  create: ['409 AlreadyExists'],
  apply: ['409 Conflict'],
  mark: ['409 Conflict', '404 NotFound'],
  status: ['409 Conflict', '404 NotFound'],
  // The uid is nobody's any more, or the name is another's by now: nothing is deleted either way.
  delete: ['404 NotFound', '409 Conflict'],
}

/** What a write of an old leader met when it came at last. */
export interface LateAnswer {
  readonly write: string
  readonly answer: string
  readonly violations: readonly string[]
}

/** Sends what the dead operator had on its way, now that another has done everything. */
export const arriveLate = async ({ late }: Watcher): Promise<LateAnswer | undefined> => {
  if (late === undefined) return undefined
  const { verb, plural } = late.described
  const { status, body } = await sharedConnection().port.call(late.wire, AbortSignal.timeout(30_000))
  const { reason } = JSON.parse(body) as { reason?: string }
  const answer = status < 300 ? String(status) : `${status} ${reason}`
  const write = `${verb} ${plural}`
  // An event changes nothing: it may be told twice.
  const isHarmless = plural === Event.plural || refusals[verb]?.includes(answer) === true
  return { write, answer, violations: isHarmless ? [] : [`I11 ${write} came late and was answered ${answer}`] }
}
