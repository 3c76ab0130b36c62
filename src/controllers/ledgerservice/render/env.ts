import type { EnvVar } from '../../../api/ledgerservice/kubernetes.ts'
import { serviceNames } from '../../../pure/names.ts'
import type { CompleteService } from '../defaults.ts'
import { isAuthOn } from '../../../pure/ledger-auth.ts'
import { authTable, responseSigningTable, tlsModeTable, tlsTable } from './env/access.ts'
import { flightRecorderTable, pyroscopeTable, samplingTable, telemetryTable } from './env/monitoring.ts'
import { identityTable, processTable } from './env/process.ts'
import { raftTable } from './env/raft.ts'
import { bloomTable, coldStorageTable, pebbleTable, readIndexTable } from './env/storage.ts'
import { type VariableTable, variablesOf } from './env/variables.ts'
import { keysDir } from '../../../pure/key-list.ts'
import type { KeyStamp } from '../../../pure/key-rollout.ts'

/**
 * Every variable that stands for a field.
 * @internal
 */
export const variableTables: readonly VariableTable[] = [
  identityTable,
  processTable,
  raftTable,
  coldStorageTable,
  pebbleTable,
  readIndexTable,
  bloomTable,
  telemetryTable,
  samplingTable,
  pyroscopeTable,
  flightRecorderTable,
  tlsModeTable,
  tlsTable,
  responseSigningTable,
  authTable,
]

export const renderEnv = (service: CompleteService, wiring: KeyStamp | undefined): readonly EnvVar[] => {
  const ours = [
    ...variableTables.flatMap((table) => variablesOf(table, service)),
    ...secretVariables(service),
    ...(wiring !== undefined && isAuthOn(service.spec)
      ? [{ name: 'AUTH_ED25519_KEYS', value: `${keysDir}/auth-keys.json` }]
      : []),
  ]
  return withExtra(ours, service.spec.extraEnv ?? [])
}

const podVariable = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { fieldPath } } })

/** What a pod knows of itself. First, because other variables refer to these. */
const podVariables: readonly EnvVar[] = [
  podVariable('POD_INDEX', "metadata.labels['apps.kubernetes.io/pod-index']"),
  podVariable('POD_NAME', 'metadata.name'),
  podVariable('POD_NAMESPACE', 'metadata.namespace'),
]

const secretVariables = ({ name, spec: { tls, receiptSigning } }: CompleteService): readonly EnvVar[] => [
  ...(tls?.enabled === true
    ? [secretVariable('CLUSTER_SECRET', serviceNames.clusterSecret(name), 'cluster-secret')]
    : []),
  ...(receiptSigning?.secretName
    ? [secretVariable('RECEIPT_SIGNING_KEY', receiptSigning.secretName, receiptSigning.secretKey || 'key')]
    : []),
]

const secretVariable = (variable: string, name: string, key: string): EnvVar => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key } },
})

/**
 * The user's variables replace ours of the same name: a list that is keyed by name may hold each name once. They come
 * last and in their own order, because they may refer to ours and to each other.
 */
const withExtra = (ours: readonly EnvVar[], extra: readonly EnvVar[]): readonly EnvVar[] => {
  const extraByName = new Map(extra.map((variable) => [variable.name, variable]))
  const isOfPod = new Set(podVariables.map(({ name }) => name))
  return [
    ...podVariables.map((variable) => extraByName.get(variable.name) ?? variable),
    ...ours.filter(({ name }) => !extraByName.has(name)),
    ...[...extraByName.values()].filter(({ name }) => !isOfPod.has(name)),
  ]
}
