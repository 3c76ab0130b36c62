import type { LedgerService } from '../../api/ledgerservice.ts'
import type { ServiceSpec } from '../../api/ledgerservice-schema.ts'

/** What the operator is told at its start about all services. */
export interface ServiceSettings {
  readonly image: { readonly repository: string; readonly tag: string }
}

export interface CompleteSpec extends Omit<ServiceSpec, 'image'> {
  readonly image: { readonly repository: string; readonly tag: string; readonly pullPolicy?: string | undefined }
}

/** A service of which nothing is left open that its workload needs. */
export interface CompleteService {
  readonly name: string
  readonly namespace: string
  readonly spec: CompleteSpec
}

const identity = { clusterID: 'default', bindAddr: '0.0.0.0:7777', walDir: '/data/raft', dataDir: '/data/app' }

/**
 * The API server fills in the defaults of every part that is there. What is missing is the image, all of a spec that is
 * absent, and texts that were set to nothing.
 */
export const withDefaults = ({ metadata, spec }: LedgerService, settings: ServiceSettings): CompleteService => {
  const { repository, tag, pullPolicy } = spec?.image ?? {}
  const image = { repository: repository || settings.image.repository, tag: tag || settings.image.tag }
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    spec: {
      replicas: 3,
      grpcPort: 8888,
      httpPort: 9000,
      ...spec,
      clusterID: spec?.clusterID || identity.clusterID,
      bindAddr: spec?.bindAddr || identity.bindAddr,
      walDir: spec?.walDir || identity.walDir,
      dataDir: spec?.dataDir || identity.dataDir,
      image: { ...image, pullPolicy: pullPolicy || undefined },
    },
  }
}
