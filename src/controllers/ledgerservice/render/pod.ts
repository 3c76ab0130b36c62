import { fingerprintOfJson } from '../../../pure/fingerprint.ts'
import { type KeyStamp, stampMarks, withoutStamp } from '../../../pure/key-rollout.ts'
import { serviceNames } from '../../../pure/names.ts'
import { unlessEmpty } from '../../../pure/unless-empty.ts'
import type { CompleteService } from '../defaults.ts'
import { renderContainer } from './container.ts'
import { selectorOf } from './labels.ts'
import { renderScheduling } from './scheduling.ts'
import { serviceAccountNameOf } from './service-account.ts'
import { renderVolumes } from './volumes.ts'

/** The template of a replica's pod. */
export const renderPod = (service: CompleteService, wiring: KeyStamp | undefined) => {
  const { imagePullSecrets, podSecurityContext } = service.spec
  // What tells which keys a pod has loaded is ours alone to say.
  const podAnnotations = service.spec.podAnnotations && withoutStamp(service.spec.podAnnotations)
  const spec = {
    serviceAccountName: serviceAccountNameOf(service),
    imagePullSecrets: unlessEmpty(imagePullSecrets),
    securityContext: unlessEmpty(podSecurityContext),
    containers: [renderContainer(service, wiring)],
    volumes: unlessEmpty(renderVolumes(service, wiring)),
    ...renderScheduling(service),
  }
  const labels = selectorOf(service)
  const hashes = {
    [serviceNames.specHash]: fingerprintOfJson({ labels, podAnnotations, spec }),
    // The ledger loads its keys once, at the start: other keys need other pods.
    ...(wiring && stampMarks(wiring)),
  }
  return { metadata: { labels, annotations: { ...podAnnotations, ...hashes } }, spec }
}
