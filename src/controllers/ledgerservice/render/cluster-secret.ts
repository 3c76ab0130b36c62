import type { Desired } from '../../../pure/effects.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { metadataOf } from './labels.ts'

/** The Secret by which the replicas of a service know each other, without its value: that is minted into it. */
export const renderClusterSecret = (service: CompleteService): Desired => ({
  metadata: metadataOf(service, serviceNames.clusterSecret(service.name)),
  type: 'Opaque',
})
