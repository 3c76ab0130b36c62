import { LedgerClusterAgent } from '../../api/ledgerclusteragent.ts'
import { isApiError } from '../../kube/api-error.ts'
import type { Client } from '../../kube/client.ts'
import { systemClock } from '../../kube/clock.ts'
import { Informer } from '../../kube/informer.ts'
import { Turnstile } from '../../kube/turnstile.ts'
import type { Choice } from '../../kube/view.ts'

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: LedgerClusterAgent
}

/** Tells what there is, all at once and by name, and then every change, until the promise is kept. */
export const followAgents = async <T>(
  client: Client,
  choice: Choice,
  tell: (changes: readonly Change[]) => void,
  until: Promise<T>,
): Promise<T> => {
  const stop = new AbortController()
  const failed = Promise.withResolvers<never>()
  const informer: Informer<LedgerClusterAgent> = new Informer<LedgerClusterAgent>(
    { kind: LedgerClusterAgent, choice, extent: 'whole', indexes: {} },
    undefined,
    {
      client,
      clock: systemClock,
      signal: stop.signal,
      syncs: new Turnstile(1),
      onTrouble: (error) => {
        // Before there is anything to show, and when the server says no, waiting helps nobody.
        if (!informer.isSynced || isApiError(error, 'refused')) failed.reject(error)
        else if (error instanceof Error) process.stderr.write(`kubectl-ledger: ${error.message}; trying again\n`)
      },
    },
  )
  const initial: Change[] = []
  informer.store.onChange((before, after) => {
    const change = changeOf(before, after)
    if (informer.isSynced) tell([change])
    else initial.push(change)
  })
  const ended = Promise.race([until, failed.promise])
  const running = informer.run()
  try {
    await Promise.race([informer.synced.then(() => tell(initial.sort(byName))), ended])
    return await ended
  } finally {
    stop.abort()
    await running
  }
}

const changeOf = (before: LedgerClusterAgent | undefined, after: LedgerClusterAgent | undefined): Change => {
  if (after !== undefined) return { type: before === undefined ? 'ADDED' : 'MODIFIED', object: after }
  if (before !== undefined) return { type: 'DELETED', object: before }
  throw new Error('a change from nothing to nothing')
}

const byName = ({ object: a }: Change, { object: b }: Change): number => (a.metadata.name < b.metadata.name ? -1 : 1)
