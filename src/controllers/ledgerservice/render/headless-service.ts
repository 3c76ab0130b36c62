import type { Desired } from '../../../pure/effects.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { metadataOf, selectorOf } from './labels.ts'
import { renderServicePorts } from './ports.ts'

/** The Service that gives each replica a name; undefined when there shall be none. */
export const renderHeadlessService = (service: CompleteService): Desired | undefined => {
  const { headlessService } = service.spec
  if (headlessService?.enabled === false) return undefined
  return {
    metadata: metadataOf(service, serviceNames.headless(service.name), headlessService?.annotations),
    spec: {
      clusterIP: 'None',
      // A replica becomes ready by finding the others, so it must be found before it is ready.
      publishNotReadyAddresses: true,
      selector: selectorOf(service),
      ports: renderServicePorts(service, ['raft', 'grpc', 'http']),
    },
  }
}
