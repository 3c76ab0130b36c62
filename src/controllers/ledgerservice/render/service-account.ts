import type { Desired } from '../../../pure/effects.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { metadataOf } from './labels.ts'

export const serviceAccountNameOf = ({ name, spec }: CompleteService): string =>
  spec.serviceAccount?.name || serviceNames.workload(name)

/** The account that the pods run as; undefined when somebody else makes it. */
export const renderServiceAccount = (service: CompleteService): Desired | undefined => {
  const { serviceAccount } = service.spec
  if (serviceAccount?.create === false) return undefined
  return { metadata: metadataOf(service, serviceAccountNameOf(service), serviceAccount?.annotations) }
}
