import type { Desired } from '../../../pure/effects.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'

/** By these labels pods are found. Ours win: with another's instance a service would reach into that one's pods. */
export const selectorOf = ({ name, spec }: CompleteService): Readonly<Record<string, string>> => ({
  ...spec.additionalLabels,
  'app.kubernetes.io/name': 'ledger',
  'app.kubernetes.io/instance': name,
})

/** The metadata of an object that belongs to a service. */
export const metadataOf = (
  service: CompleteService,
  name: string,
  annotations: Readonly<Record<string, string>> = {},
): Desired['metadata'] => ({
  namespace: service.namespace,
  name,
  labels: { ...selectorOf(service), [serviceNames.managedBy.label]: serviceNames.managedBy.value },
  ...(Object.keys(annotations).length > 0 && { annotations }),
})
