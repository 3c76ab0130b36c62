import type { Affinity } from '../../../api/ledgerservice/kubernetes.ts'
import { unlessEmpty } from '../../../pure/unless-empty.ts'
import type { CompleteService } from '../defaults.ts'
import { selectorOf } from './labels.ts'

export const renderScheduling = (service: CompleteService) => ({
  nodeSelector: unlessEmpty(service.spec.nodeSelector),
  tolerations: unlessEmpty(service.spec.tolerations),
  // The server keeps this one also when nothing is in it.
  affinity: affinityOf(service),
  topologySpreadConstraints: unlessEmpty(spreadOf(service)),
})

/** Replicas are spread among themselves, unless the user says among which pods. */
const spreadOf = (service: CompleteService) =>
  service.spec.topologySpreadConstraints?.map((constraint) => ({
    ...constraint,
    labelSelector: constraint.labelSelector ?? { matchLabels: selectorOf(service) },
  }))

/** The user's wishes, and besides them that replicas keep apart. */
const affinityOf = (service: CompleteService): Affinity | undefined => {
  const { affinity, podAntiAffinity: apart } = service.spec
  if (apart?.enabled !== true) return affinity
  const term = {
    labelSelector: { matchLabels: selectorOf(service) },
    topologyKey: apart.topologyKey || 'kubernetes.io/hostname',
  }
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity?.podAntiAffinity ?? {}
  const isHard = apart.type === 'hard'
  return {
    ...affinity,
    podAntiAffinity: {
      ...affinity?.podAntiAffinity,
      ...(isHard
        ? { requiredDuringSchedulingIgnoredDuringExecution: [...required, term] }
        : {
            preferredDuringSchedulingIgnoredDuringExecution: [
              ...preferred,
              { weight: apart.weight, podAffinityTerm: term },
            ],
          }),
    },
  }
}
