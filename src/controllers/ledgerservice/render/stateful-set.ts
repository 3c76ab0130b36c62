import type { Desired } from '../../../pure/effects.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { renderClaims, renderRetention } from './claims.ts'
import { metadataOf, selectorOf } from './labels.ts'
import { renderPod } from './pod.ts'
import type { Wiring } from './volumes.ts'

export const renderStatefulSet = (service: CompleteService, wiring: Wiring | undefined): Desired => ({
  metadata: metadataOf(service, serviceNames.workload(service.name)),
  spec: {
    replicas: service.spec.replicas,
    serviceName: serviceNames.headless(service.name),
    selector: { matchLabels: selectorOf(service) },
    // Raft takes in one new member at a time, and must not lose two at once.
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate' },
    persistentVolumeClaimRetentionPolicy: renderRetention(service),
    template: renderPod(service, wiring),
    volumeClaimTemplates: renderClaims(service),
  },
})
