import type { Desired } from '../../../pure/effects.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { metadataOf, selectorOf } from './labels.ts'
import { renderServicePorts } from './ports.ts'

/** The Service that clients use. */
export const renderService = (service: CompleteService): Desired => ({
  metadata: metadataOf(service, serviceNames.workload(service.name), service.spec.service?.annotations),
  spec: {
    type: service.spec.service?.type || 'ClusterIP',
    selector: selectorOf(service),
    ports: renderServicePorts(service, ['http', 'grpc']),
  },
})
