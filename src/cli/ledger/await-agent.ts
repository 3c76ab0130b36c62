import type { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import type { Client } from '../../kube/client.ts'
import { systemClock } from '../../kube/clock.ts'
import type { Duration } from '../../pure/duration.ts'
import { CommandFailure } from '../command-failure.ts'
import { harmless } from '../harmless.ts'
import { untilAskedToStop } from '../stop-signals.ts'
import { conditionOf } from './condition.ts'
import { type Change, followAgents } from './follow.ts'
import { see } from './status-key.ts'

/** For how long to wait, also as it was said. */
export interface Patience {
  readonly span: Duration
  readonly text: string
}

export interface Goal {
  readonly isReached: (agent: LedgerClusterAgent) => boolean
  /** The condition that says how far it is. */
  readonly condition: string
}

/** Follows an agent until it has come to where it shall, and says meanwhile what it waits for. */
export const awaitAgent = async (
  client: Client,
  agent: LedgerClusterAgent,
  { isReached, condition }: Goal,
  patience: Patience,
): Promise<LedgerClusterAgent> => {
  if (isReached(agent)) return agent
  const { name, uid } = agent.metadata
  const reached = Promise.withResolvers<LedgerClusterAgent>()
  const fail = (why: 'error' | 'notReady' | 'notFound', message: string) =>
    reached.reject(new CommandFailure(why, message))
  let standing = standingOf(agent, condition)
  const look = (changes: readonly Change[]): void => {
    const [now] = changes.filter(({ type, object }) => type !== 'DELETED' && object.metadata.uid === uid)
    if (now === undefined) fail('notFound', `agent "${name}" was deleted meanwhile`)
    else if (isReached(now.object)) reached.resolve(now.object)
    else {
      const next = standingOf(now.object, condition)
      if (next !== standing) process.stderr.write(`${next}\n`)
      standing = next
    }
  }
  const goesOn = `it goes on by itself: see how far it is with: ${see(agent)}`
  const cancel = systemClock.after(patience.span, () =>
    fail('notReady', `after ${patience.text}, agent "${name}" is not done (${standing}); ${goesOn}`),
  )
  void untilAskedToStop().then(() => fail('error', `nobody waits for agent "${name}" any more; ${goesOn}`))
  process.stderr.write(`${standing}\n`)
  try {
    return await followAgents(client, { name }, look, reached.promise)
  } finally {
    cancel()
  }
}

/** What keeps an agent from going on, by the first of its conditions that knows. */
const standingOf = (agent: LedgerClusterAgent, condition: string): string => {
  const isPaused = conditionOf(agent, 'Paused')?.status === 'True'
  const types = isPaused ? ['Paused'] : [condition, 'Ready']
  const told = types
    .map((type) => conditionOf(agent, type))
    .find((one) => one !== undefined && (isPaused || one.status !== 'True'))
  return told === undefined ? 'its operator has not begun yet' : harmless(`${told.reason}: ${told.message}`)
}
