import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'

export const coldCacheDir = '/data/cold-cache'

interface Claim {
  readonly name: string
  readonly field: 'wal' | 'data' | 'coldCache'
  readonly size: string
  readonly mountPath: (spec: CompleteService['spec']) => string
}

/** The volumes that each replica has for itself. */
const claims: readonly Claim[] = [
  { name: 'wal', field: 'wal', size: '5Gi', mountPath: ({ walDir }) => walDir },
  { name: 'data', field: 'data', size: '10Gi', mountPath: ({ dataDir }) => dataDir },
  { name: 'cold-cache', field: 'coldCache', size: '10Gi', mountPath: () => coldCacheDir },
]

export const renderClaimMounts = ({ spec }: CompleteService) =>
  claims.map(({ name, mountPath }) => ({ name, mountPath: mountPath(spec) }))

export const renderClaims = ({ spec: { persistence } }: CompleteService) => {
  const { label, value } = serviceNames.deletionProtection
  const labels = persistence?.deletionProtection === false ? undefined : { [label]: value }
  return claims.map(({ name, field, size }) => {
    const volume = persistence?.[field]
    return {
      metadata: { name, labels },
      spec: {
        accessModes: [volume?.accessMode || 'ReadWriteOnce'],
        resources: { requests: { storage: volume?.size ?? size } },
        storageClassName: volume?.storageClass || undefined,
        volumeAttributesClassName: volume?.volumeAttributesClassName || undefined,
      },
    }
  })
}

/** A word that we do not know deletes nothing. */
const retained = (policy: string | undefined) => (policy === 'Delete' ? 'Delete' : 'Retain')

export const renderRetention = ({ spec: { persistence } }: CompleteService) => ({
  whenScaled: retained(persistence?.retentionPolicy?.whenScaled),
  whenDeleted: retained(persistence?.retentionPolicy?.whenDeleted),
})
