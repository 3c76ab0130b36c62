import type { KeyStamp } from '../../../pure/key-rollout.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { renderClaims, renderRetention } from './claims.ts'
import { metadataOf, selectorOf } from './labels.ts'
import { renderPod } from './pod.ts'

export const renderStatefulSet = (service: CompleteService, wiring: KeyStamp | undefined) => ({
  metadata: metadataOf(service, serviceNames.workload(service.name)),
  spec: {
    replicas: service.spec.replicas,
    serviceName: serviceNames.headless(service.name),
    selector: { matchLabels: selectorOf(service) },
    // Raft takes in one new member at a time, and must not lose two at once.
    podManagementPolicy: 'OrderedReady',
    // The server does not fill in the partition where the type is there: who leaves it out takes it away.
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    persistentVolumeClaimRetentionPolicy: renderRetention(service),
    template: renderPod(service, wiring),
    volumeClaimTemplates: renderClaims(service),
  },
})
