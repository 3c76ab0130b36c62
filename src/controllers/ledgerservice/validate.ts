import { keysDir } from '../../pure/key-list.ts'
import { hasOtherKeys, isAuthUntold } from '../../pure/ledger-auth.ts'
import { serviceNames } from '../../pure/names.ts'
import type { CompleteService } from './defaults.ts'
import { coldCacheDir } from './render/claims.ts'
import { raftPortOf } from './render/ports.ts'
import { responseSigningDir, tlsDir } from './render/volumes.ts'

// The longest name that DNS has a place for.
const longestName = 63

/** Why a service makes no sense; nothing when it does. */
export const faultsOf = (service: CompleteService): readonly string[] => [
  ...nameFaults(service),
  ...replicaFaults(service),
  ...portFaults(service),
  ...folderFaults(service),
  ...secretFaults(service),
  ...authFaults(service),
]

const nameFaults = ({ name }: CompleteService): readonly string[] => {
  const longest = longestName - serviceNames.headless('').length
  return name.length <= longest ? [] : [`metadata.name has ${name.length} characters, and may have ${longest}`]
}

const replicaFaults = ({ spec: { replicas } }: CompleteService): readonly string[] =>
  replicas % 2 === 1 ? [] : [`spec.replicas is ${replicas}: a Raft cluster needs an odd number to find a majority`]

type Placed<T> = readonly (readonly [field: string, value: T])[]

const portFaults = ({ spec: { httpPort, grpcPort, bindAddr, service } }: CompleteService): readonly string[] => {
  const ports: Placed<number> = [
    ['spec.httpPort', httpPort],
    ['spec.grpcPort', grpcPort],
    ['spec.bindAddr', raftPortOf(bindAddr)],
  ]
  const servicePorts: Placed<number> = [
    ['spec.service.httpPort', service?.httpPort ?? 9000],
    ['spec.service.grpcPort', service?.grpcPort ?? 8888],
    ['spec.service.raftPort', service?.raftPort ?? 7777],
  ]
  return [
    ...[...ports, ...servicePorts]
      .filter(([, port]) => port < 1 || port > 65_535)
      .map(([field, port]) => `${field} is ${port}, which is no port`),
    ...collisionsIn(ports, 'port'),
    ...collisionsIn(servicePorts, 'port'),
  ]
}

const folderFaults = ({ spec: { walDir, dataDir } }: CompleteService): readonly string[] => {
  const own: Placed<string> = [
    ['spec.walDir', normal(walDir)],
    ['spec.dataDir', normal(dataDir)],
  ]
  const taken: Placed<string> = [coldCacheDir, keysDir, tlsDir, responseSigningDir].map((folder) => [
    'what is mounted anyway',
    folder,
  ])
  return [
    ...own.filter(([, folder]) => !folder.startsWith('/')).map(([field]) => `${field} does not begin with a slash`),
    ...collisionsIn([...own, ...taken], 'folder'),
  ]
}

const normal = (folder: string): string => folder.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')

const secretFaults = ({ spec: { tls, responseSigning } }: CompleteService): readonly string[] => [
  ...(tls?.enabled === true && !tls.secretName ? ['spec.tls is enabled and names no Secret'] : []),
  ...(responseSigning?.enabled === true && !responseSigning.secretName
    ? ['spec.responseSigning is enabled and names no Secret']
    : []),
]

/** Keys are wired to a ledger that asks for tokens, and to no other: each refuses to start as the other. */
const authFaults = ({ spec }: CompleteService): readonly string[] => [
  ...(isAuthUntold(spec)
    ? [
        'spec.extraEnv gives AUTH_ENABLED a value that only a pod gets to know: make it a plain "true" or "false", or take it out and set spec.auth.enabled',
      ]
    : []),
  ...(hasOtherKeys(spec)
    ? ['spec.extraEnv sets AUTH_ED25519_KEYS, so that the ledger would not read the keys of its agents: take it out']
    : []),
]

const collisionsIn = <T extends string | number>(places: Placed<T>, what: string): readonly string[] =>
  [...Map.groupBy(places, ([, value]) => value)]
    .filter(([, fields]) => fields.length > 1)
    .map(([value, fields]) => `${fields.map(([field]) => field).join(' and ')} are the same ${what}: ${value}`)
