import type { Desired } from '../../../pure/effects.ts'
import { type KeyEntry, renderKeyList } from '../../../pure/key-list.ts'
import { type KeyStamp, revisionMark } from '../../../pure/key-rollout.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { metadataOf } from './labels.ts'

/** The ConfigMap that holds the public keys whose tokens a service accepts. */
export const renderListObject = (
  service: CompleteService,
  { entries, stamp }: { readonly entries: readonly KeyEntry[]; readonly stamp: KeyStamp },
): Desired => ({
  metadata: metadataOf(service, serviceNames.keyList(service.name), revisionMark(stamp.revision)),
  data: renderKeyList(entries),
})
