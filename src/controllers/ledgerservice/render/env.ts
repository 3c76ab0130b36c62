import type { EnvVar } from '../../../api/ledgerservice/kubernetes.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { isAuthOn } from '../../../pure/ledger-auth.ts'
import { authTable, responseSigningTable, tlsModeTable, tlsTable } from './env/access.ts'
import { flightRecorderTable, logsTable, pyroscopeTable, samplingTable, telemetryTable } from './env/monitoring.ts'
import { identityTable, memoryTable, processTable } from './env/process.ts'
import { cacheTable, healthTable, raftTable, snapshotTable } from './env/raft.ts'
import { bloomTable, coldStorageTable, pebbleTable, readIndexTable } from './env/storage.ts'
import { type VariableTable, variablesOf } from './env/variables.ts'
import { keysDir } from '../../../pure/key-list.ts'
import type { KeyStamp } from '../../../pure/key-rollout.ts'

type SpecialVariables = (service: CompleteService, wiring: KeyStamp | undefined) => readonly EnvVar[]

const secretVariable = (variable: string, name: string, key: string): EnvVar => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key } },
})

const receiptSigning: SpecialVariables = ({ spec: { receiptSigning: signing } }) =>
  signing?.secretName ? [secretVariable('RECEIPT_SIGNING_KEY', signing.secretName, signing.secretKey || 'key')] : []

const agentKeys: SpecialVariables = ({ spec }, wiring) =>
  wiring !== undefined && isAuthOn(spec) ? [{ name: 'AUTH_ED25519_KEYS', value: `${keysDir}/auth-keys.json` }] : []

const clusterSecret: SpecialVariables = ({ name, spec: { tls } }) =>
  tls?.enabled === true ? [secretVariable('CLUSTER_SECRET', serviceNames.clusterSecret(name), 'cluster-secret')] : []

/**
 * All variables but the pod's and the user's, in the order in which the former operator wrote them. Kubernetes compares
 * lists item by item: another order is another template, and restarts every pod.
 */
const environment: readonly (VariableTable | SpecialVariables)[] = [
  identityTable,
  cacheTable,
  raftTable,
  processTable,
  snapshotTable,
  coldStorageTable,
  healthTable,
  pebbleTable,
  bloomTable,
  receiptSigning,
  telemetryTable,
  samplingTable,
  logsTable,
  pyroscopeTable,
  flightRecorderTable,
  tlsModeTable,
  tlsTable,
  memoryTable,
  authTable,
  agentKeys,
  readIndexTable,
  responseSigningTable,
]

/**
 * Every variable that stands for a field.
 * @internal
 */
export const variableTables: readonly VariableTable[] = environment.filter((part) => typeof part !== 'function')

export const renderEnv = (service: CompleteService, wiring: KeyStamp | undefined): readonly EnvVar[] => {
  const ours = environment.flatMap((part) =>
    typeof part === 'function' ? part(service, wiring) : variablesOf(part, service),
  )
  return withExtra({ ours, extra: service.spec.extraEnv ?? [], last: clusterSecret(service, wiring) })
}

const podVariable = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { fieldPath } } })

/** What a pod knows of itself. First, because other variables refer to these. */
const podVariables: readonly EnvVar[] = [
  podVariable('POD_INDEX', "metadata.labels['apps.kubernetes.io/pod-index']"),
  podVariable('POD_NAME', 'metadata.name'),
  podVariable('POD_NAMESPACE', 'metadata.namespace'),
]

interface Variables {
  readonly ours: readonly EnvVar[]
  readonly extra: readonly EnvVar[]
  /** Ours that come after the user's, as the former operator had them. */
  readonly last: readonly EnvVar[]
}

/**
 * The user's variables replace ours of the same name: a list that is keyed by name may hold each name once. They come
 * after ours and in their own order, because they may refer to ours and to each other.
 */
const withExtra = ({ ours, extra, last }: Variables): readonly EnvVar[] => {
  const extraByName = new Map(extra.map((variable) => [variable.name, variable]))
  const isOfPod = new Set(podVariables.map(({ name }) => name))
  const isOurs = ({ name }: EnvVar) => !extraByName.has(name)
  return [
    ...podVariables.map((variable) => extraByName.get(variable.name) ?? variable),
    ...ours.filter(isOurs),
    ...[...extraByName.values()].filter(({ name }) => !isOfPod.has(name)),
    ...last.filter(isOurs),
  ]
}
