import type { KeyStamp } from '../../../pure/key-rollout.ts'
import { unlessEmpty } from '../../../pure/unless-empty.ts'
import type { CompleteService } from '../defaults.ts'
import { renderClaimMounts } from './claims.ts'
import { renderEnv } from './env.ts'
import { renderContainerPorts } from './ports.ts'
import { renderProbes } from './probes.ts'
import { startScript } from './start-script.ts'
import { renderVolumeMounts } from './volumes.ts'

export const renderContainer = (service: CompleteService, wiring: KeyStamp | undefined) => {
  const { image, resources, securityContext } = service.spec
  return {
    name: 'ledger',
    image: `${image.repository}:${image.tag}`,
    // A tag that moves is always pulled, whatever the service says: so the former operator had it.
    imagePullPolicy: image.tag === 'latest' ? 'Always' : image.pullPolicy,
    command: ['/bin/sh', '-c', startScript],
    ports: renderContainerPorts(service),
    env: renderEnv(service, wiring),
    resources: unlessEmpty(resources),
    // The server keeps this one also when nothing is in it.
    securityContext,
    volumeMounts: [...renderClaimMounts(service), ...renderVolumeMounts(service, wiring)],
    ...renderProbes(service),
  }
}
