import { keysDir, keysVolume } from '../../../pure/key-list.ts'
import type { KeyStamp } from '../../../pure/key-rollout.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'

export const tlsDir = '/tls'
export const responseSigningDir = '/response-signing'

interface MountedVolume {
  readonly name: string
  readonly mountPath: string
  readonly source: object
}

/** What is mounted into a pod besides its claims; nobody writes there. */
const mountedVolumes = ({ name, spec }: CompleteService, wiring: KeyStamp | undefined): readonly MountedVolume[] => {
  const { tls, responseSigning } = spec
  const secret = (volume: string, mountPath: string, secretName: string | undefined) => [
    { name: volume, mountPath, source: { secret: { secretName } } },
  ]
  return [
    ...(responseSigning?.enabled === true
      ? secret('response-signing', responseSigningDir, responseSigning.secretName)
      : []),
    ...(tls?.enabled === true ? secret('tls-certs', tlsDir, tls.secretName) : []),
    ...(wiring === undefined
      ? []
      : [{ name: keysVolume, mountPath: keysDir, source: { configMap: { name: serviceNames.keyList(name) } } }]),
  ]
}

export const renderVolumes = (service: CompleteService, wiring: KeyStamp | undefined) =>
  mountedVolumes(service, wiring).map(({ name, source }) => ({ name, ...source }))

export const renderVolumeMounts = (service: CompleteService, wiring: KeyStamp | undefined) =>
  mountedVolumes(service, wiring).map(({ name, mountPath }) => ({ name, mountPath, readOnly: true }))
