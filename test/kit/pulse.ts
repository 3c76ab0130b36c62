import type { SyncReason } from '../../src/kube/informer.ts'
import type { Choice } from '../../src/kube/view.ts'
import { Store } from '../../src/kube/store.ts'
import { type Duration, seconds } from '../../src/pure/duration.ts'
import type { Kind } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import type { Pulse, Watch } from '../../src/runtime/pulse.ts'

interface WatchFacts {
  readonly namespace?: string
  readonly choice?: Choice
  readonly isSynced?: boolean
  readonly silence?: Duration
  readonly syncs?: Watch['syncs']
  readonly objects?: readonly KubeObject[]
}

/** A watch that is all right, unless something else is said. */
export const aWatch = (kind: Kind, facts: WatchFacts = {}): Watch => {
  const { namespace, choice = {}, isSynced = true, silence = seconds(1), objects = [] } = facts
  const { syncs = new Map<SyncReason, number>() } = facts
  const store = new Store<KubeObject>()
  for (const object of objects) store.shown(object)
  return { view: { kind, choice, extent: 'whole', indexes: {} }, namespace, store, isSynced, silence, syncs }
}

/** A process that leads and sees nothing, unless something else is said. */
export const aPulse = (facts: Partial<Pulse> = {}): Pulse => ({
  informers: [],
  attachments: [],
  isLeading: true,
  ...facts,
})
