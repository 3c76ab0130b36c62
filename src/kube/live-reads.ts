import type { Kind } from '../pure/kind.ts'
import { type ObjectKey, printKey } from '../pure/object.ts'
import { isApiError } from './api-error.ts'
import type { LiveChoice } from './cluster.ts'
import type { Reads } from './reads.ts'

/** What must be read from the server before a decision: one object by its name, or all that a selection finds. */
export type LiveRead =
  | { readonly kind: Kind; readonly key: ObjectKey; readonly unlessWritten?: true }
  | { readonly kind: Kind; readonly choice: LiveChoice }

interface Doubtful {
  /** Why the live reads that the situation asks for could not be had. */
  readonly doubt: string | undefined
}

export interface Observing<Observed extends Doubtful> {
  readonly look: () => Promise<Observed | undefined>
  /** Pure. */
  readonly liveReadsOf: (observed: Observed) => readonly LiveRead[]
}

const mostLooks = 3

/** Observes, reads live what that asks for, and observes again until it asks for nothing that was not read. */
export const observeLive = async <Observed extends Doubtful>(
  { look, liveReadsOf }: Observing<Observed>,
  reads: Reads,
): Promise<Observed | undefined> => {
  const done = new Set<string>()
  let observed = await look()
  for (let looks = 0; observed !== undefined; looks += 1) {
    const due = liveReadsOf(observed).filter((read) => !done.has(printRead(read)))
    if (due.length === 0) return observed
    if (looks === mostLooks) return { ...observed, doubt: 'it changes faster than it can be read' }
    try {
      await Promise.all(due.map((read) => readLive(read, reads)))
    } catch (error) {
      if (!isApiError(error)) throw error
      return { ...observed, doubt: error.message }
    }
    for (const read of due) done.add(printRead(read))
    observed = await look()
  }
  return undefined
}

const readLive = async (read: LiveRead, reads: Reads): Promise<void> => {
  if ('choice' in read) await reads.refreshChosen(read.kind, read.choice)
  else await (read.unlessWritten ? reads.refreshUnlessWritten(read.kind, read.key) : reads.refresh(read.kind, read.key))
}

const printRead = (read: LiveRead): string =>
  `${read.kind.group}/${read.kind.kind} ${'key' in read ? printKey(read.key) : JSON.stringify(read.choice)}`
