import type { Informer } from '../kube/informer.ts'
import { milliseconds, type Duration } from '../pure/duration.ts'
import type { Queue } from './queue.ts'

export type Watch = Pick<Informer, 'view' | 'namespace' | 'store' | 'isSynced' | 'silence' | 'syncs'>

/** What can be seen of an operator from outside, at any time. */
export interface Pulse {
  readonly informers: readonly Watch[]
  readonly attachments: readonly {
    readonly controller: { readonly name: string }
    readonly queue: Pick<Queue, 'depth' | 'longestWait'>
  }[]
  readonly isLeading: boolean
}

/** All watches of one kind in one place, taken as one. */
export interface Outlook {
  readonly kind: string
  /** Empty where the watch is not of one namespace. */
  readonly namespace: string
  readonly isSynced: boolean
  /** Of the one that has been silent longest. */
  readonly silence: Duration
}

export const outlooksOf = ({ informers }: Pulse): readonly Outlook[] =>
  [...Map.groupBy(informers, (watch) => `${watch.view.kind.kind} ${placeOf(watch)}`).values()].flatMap((watches) =>
    watches.slice(0, 1).map((first) => ({
      kind: first.view.kind.kind,
      namespace: placeOf(first),
      isSynced: watches.every(({ isSynced }) => isSynced),
      silence: milliseconds(Math.max(...watches.map(({ silence }) => silence))),
    })),
  )

/** Single objects are watched wherever they happen to be: where that is would be a name per object. */
const placeOf = ({ view, namespace = '' }: Watch): string => (view.choice.name === undefined ? namespace : '')
