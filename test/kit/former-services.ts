import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { renderHeadlessService } from '../../src/controllers/ledgerservice/render/headless-service.ts'
import { metadataOf } from '../../src/controllers/ledgerservice/render/labels.ts'
import { renderService } from '../../src/controllers/ledgerservice/render/service.ts'
import { renderServiceAccount } from '../../src/controllers/ledgerservice/render/service-account.ts'
import { ownedBy } from '../../src/controllers/ledgerservice/wanted.ts'
import type { Desired } from '../../src/pure/effects.ts'
import { type KeyEntry, keysHashOf, renderKeyList } from '../../src/pure/key-list.ts'
import { ConfigMap, type Kind, Secret, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { agentNames, serviceNames } from '../../src/pure/names.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import fixture from '../fixtures/ledgerservice-statefulsets.json' with { type: 'json' }
import type { FormerCluster } from './former-cluster.ts'
import { aService } from './rendered-service.ts'

/** A service that the former operator looked after, with one setting, and what it made of it. */
export interface FormerService {
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly specHash: string
  /** JSON merge patches to what all have in common. */
  readonly workload?: object
  readonly container?: object
  /** In order; a text is `NAME=value`. */
  readonly env: readonly (string | object)[]
}

export const formerServices = fixture.services as readonly object[] as readonly FormerService[]
export const formerServiceNamespaces = [...new Set(formerServices.map(({ namespace }) => namespace))]

/** The image that the former operator was told to use. */
export const formerImage = { repository: 'ghcr.io/formancehq/ledger', tag: 'v3.0.1' }

type Json = Readonly<Record<string, unknown>>

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7396. */
const patched = (value: unknown, patch: unknown): unknown => {
  if (!isMap(patch)) return patch
  const before = isMap(value) ? value : {}
  const changed = Object.entries(patch).filter(([, inner]) => inner !== null)
  const kept = Object.entries(before).filter(([field]) => patch[field] !== null)
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(changed.map(([field, inner]) => [field, patched(before[field], inner)])),
  }
}

const variable = (text: string | object): object => {
  if (typeof text === 'object') return text
  const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(text) ?? []
  return { name, value }
}

/** The spec of the StatefulSet that the former operator made of a service. */
export const formerWorkloadOf = ({ name, specHash, workload, container, env }: FormerService): object => {
  const { template, ...rest } = patched(fixture.workload, workload ?? {}) as typeof fixture.workload
  const [ledger] = template.spec.containers
  const containers = [{ ...(patched(ledger, container ?? {}) as object), env: [...fixture.pod, ...env.map(variable)] }]
  const hashes = { [serviceNames.specHash]: specHash, [serviceNames.keysHash]: keysHashOf([signer]) }
  const annotations = { ...template.metadata.annotations, ...hashes }
  const whole = {
    ...rest,
    template: { metadata: { ...template.metadata, annotations }, spec: { ...template.spec, containers } },
  }
  return JSON.parse(JSON.stringify(whole).replaceAll('<name>', name)) as object
}

const agent = 'signer'
const key = aKey(29)
const keyId = keyIdOf(key)
const scopes = ['ledger:read', 'ledger:write']

/** The only key, which every service lists. */
const signer: KeyEntry = {
  agent,
  file: serviceNames.publicKeyFile(agent, { generation: 1, keyId }),
  keyId,
  publicKey: Buffer.from(key['pubkey.hex'] ?? '', 'base64').toString(),
  scopes,
  god: false,
}

/** Brings all services into the cluster with their objects and the agent, written under the former operator's manager. */
export const loadFormerServices = async (cluster: FormerCluster, manager: string): Promise<void> => {
  await loadAgent(cluster, manager)
  await Promise.all(formerServices.map((service) => loadService(cluster, manager, service)))
}

const loadAgent = async ({ user }: FormerCluster, manager: string): Promise<void> => {
  const former = user.as(manager)
  await user.create(LedgerClusterAgent, { metadata: { name: agent }, spec: { selector: {}, scopes } })
  await former.patch(LedgerClusterAgent, { name: agent }, { metadata: { finalizers: [agentNames.finalizer] } })
  const name = agentNames.replica(agent)
  const places = [
    { namespace: 'ledger-system', name: agentNames.canonical(agent) },
    ...formerServiceNamespaces.map((namespace) => ({ namespace, name })),
  ]
  const labels = { [agentNames.label]: agent }
  for (const place of places) await former.create(Secret, { metadata: { ...place, labels }, data: key })
  const distributedSecretRefs = formerServiceNamespaces.map((namespace) => ({ namespace, name }))
  const matchedServices = formerServices.map(({ namespace, name: service }) => ({ namespace, name: service }))
  const status = { phase: 'Ready', keyID: keyId, distributedSecretRefs, matchedServices, observedGeneration: 1 }
  await former.patchStatus(LedgerClusterAgent, { name: agent }, { status })
}

const loadService = async ({ user, client }: FormerCluster, manager: string, service: FormerService): Promise<void> => {
  const { namespace, name, labels, spec } = service
  const former = user.as(manager)
  await user.create(LedgerService, { metadata: { namespace, name, labels }, spec: { replicas: 1, ...spec } })
  const condition = { type: 'Ready', status: 'True', reason: 'AllReplicasReady', message: '', lastTransitionTime }
  const status = { phase: 'Running', observedGeneration: 1, conditions: [condition] }
  await former.patchStatus(LedgerService, { namespace, name }, { status })
  const owner = await client.get(LedgerService, { namespace, name })
  if (owner === undefined) throw new Error(`LedgerService ${namespace}/${name} is gone`)
  for (const { kind, object } of objectsOf(service)) await former.create(kind, { ...ownedBy(owner, object) })
}

const lastTransitionTime = '2026-07-03T12:00:00Z'

const objectsOf = (service: FormerService): readonly { readonly kind: Kind; readonly object: Desired }[] => {
  const { namespace, name, spec } = service
  const complete = aService({ replicas: 1, ...spec }, name, namespace)
  return [
    { kind: ServiceAccount, object: renderServiceAccount(complete) },
    { kind: Service, object: renderHeadlessService(complete) },
    { kind: Service, object: renderService(complete) },
    {
      kind: ConfigMap,
      object: { metadata: metadataOf(complete, serviceNames.keyList(name)), data: renderKeyList([signer]) },
    },
    {
      kind: StatefulSet,
      object: { metadata: metadataOf(complete, serviceNames.workload(name)), spec: formerWorkloadOf(service) },
    },
  ].flatMap(({ kind, object }) => (object === undefined ? [] : [{ kind, object }]))
}
