import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import type { LiveWorkload } from '../../src/controllers/ledgerservice/observed.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { withoutStamp } from '../../src/pure/key-rollout.ts'
import { ConfigMap, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { hasEntryOf } from '../../src/pure/managed-fields.ts'
import { claimAnnotation, keysRevisionAnnotation, serviceNames } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { FormerCluster, homes } from '../kit/former-cluster.ts'
import { asReleased, goldenObjects, goldenWorkloads } from '../kit/golden-objects.ts'

let cluster: FormerCluster

beforeAll(async () => {
  cluster = await FormerCluster.start()
})

afterEach(() => cluster.clear())

afterAll(() => cluster[Symbol.asyncDispose]())

const load = () => cluster.load([...goldenObjects, ...goldenWorkloads])

const hasBeenTakenOver = ({ metadata, status }: LedgerService): boolean =>
  metadata.annotations?.[claimAnnotation] !== undefined &&
  hasEntryOf(metadata.managedFields, serviceNames.manager) &&
  status?.authKeys?.length === 2

const workloads = () => cluster.all<LiveWorkload>(StatefulSet)

/** All that a service is made of, without what a takeover may change. */
const objects = async () => {
  const kinds = [StatefulSet, Service, ServiceAccount, ConfigMap]
  const all = (
    await Promise.all(kinds.map((kind) => cluster.all<KubeObject & { data?: object; spec?: object }>(kind)))
  ).flat()
  return all
    .filter(({ metadata }) => metadata.labels?.[serviceNames.managedBy.label] === serviceNames.managedBy.value)
    .map(({ metadata: { namespace, name, uid, labels, ownerReferences, generation }, spec, data }) => ({
      ...{ namespace, name, uid, labels, ownerReferences, generation },
      spec,
      data,
    }))
}

test.for(homes)('LSV-28 the operator in %s takes services over, and no pod is made anew', async (home) => {
  await load()
  const before = await objects()
  expect(before).toHaveLength(10)
  await cluster.runServicesUntil(home, hasBeenTakenOver)
  expect(await objects()).toEqual(before)
  for (const workload of await workloads()) {
    expect(hasEntryOf(workload.metadata.managedFields, serviceNames.manager)).toBe(true)
    expect(hasEntryOf(workload.metadata.managedFields, 'ledger-operator')).toBe(false)
  }
  for (const { status } of await cluster.all<LedgerService>(LedgerService)) {
    expect(status?.conditions?.map(({ type }) => type).toSorted()).toEqual([
      'AuthKeysPublished',
      'ConfigValid',
      'Ready',
      'SelectorImmutable',
    ])
  }
  expect(cluster.writes.filter(({ what }) => what.startsWith('delete'))).toEqual([])
})

test('LSV-28 what the former operator wrote as operator is taken over alike, and other operators’ fields stay theirs', async () => {
  await cluster.load(asReleased([...goldenObjects, ...goldenWorkloads]))
  const before = await objects()
  const key = { namespace: 'team-a', name: 'ledger-books' }
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  expect(await objects()).toEqual(before)
  for (const { metadata } of await workloads()) expect(hasEntryOf(metadata.managedFields, 'operator')).toBe(false)
  await cluster.user.as('operator').patch(StatefulSet, key, { metadata: { annotations: { 'example.com/mesh': 'on' } } })
  await cluster.user.patch(LedgerService, { ...key, name: 'books' }, { spec: { debug: true } })
  await cluster.runServicesUntil(
    'ledger-system',
    ({ metadata, status }) => status?.observedGeneration === metadata.generation,
  )
  const changed = (await workloads()).find(({ metadata }) => metadata.namespace === 'team-a')
  expect(changed?.metadata).toMatchObject({ generation: 2, annotations: { 'example.com/mesh': 'on' } })
  expect(hasEntryOf(changed?.metadata.managedFields, 'operator')).toBe(true)
})

test('LSV-13 LSV-28 a variable that the former operator wrote twice is written once, as the user has it', async () => {
  await load()
  const key = { namespace: 'team-a', name: 'ledger-books' }
  const [container] = (await cluster.client.get<LiveWorkload>(StatefulSet, key))?.spec?.template?.spec?.containers ?? []
  const mine = { name: 'DEBUG', value: 'true' }
  const env = [...(container?.env ?? []), mine]
  await cluster.user.patch(LedgerService, { ...key, name: 'books' }, { spec: { extraEnv: [mine] } })
  const template = { spec: { containers: [{ ...container, env }] } }
  await cluster.user.as('ledger-operator').patch(StatefulSet, key, { spec: { template } })
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  const after = await cluster.client.get<LiveWorkload>(StatefulSet, key)
  const variables = after?.spec?.template?.spec?.containers?.[0]?.env ?? []
  expect(variables.filter(({ name }) => name === 'DEBUG')).toEqual([mine])
  expect(variables).toHaveLength(env.length - 1)
})

test('LSV-28 LSV-38 an operator that comes again has nothing to write', async () => {
  await load()
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  const { length } = cluster.writes
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  expect(cluster.writes.slice(length)).toEqual([])
})

test('LSV-28 when something else is wanted, the start script is ours', async () => {
  await load()
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  const key = { namespace: 'team-a', name: 'books' }
  await cluster.user.patch(LedgerService, key, { spec: { debug: true } })
  await cluster.runServicesUntil(
    'ledger-system',
    ({ metadata, status }) => status?.observedGeneration === metadata.generation,
  )
  const scripts = new Map(
    (await workloads()).map(({ metadata, spec }) => [
      metadata.namespace,
      spec?.template?.spec?.containers?.[0]?.command?.[2],
    ]),
  )
  expect(scripts.get('team-b')).toBe('(start script)')
  expect(scripts.get('team-a')).toContain('--bootstrap')
})

test('LSV-37 a service is claimed before anything is done for it', async () => {
  await load()
  await cluster.runServicesUntil('holdfast-system', hasBeenTakenOver)
  for (const namespace of ['team-a', 'team-b']) {
    const writes = cluster.writes.filter(({ what }) => what.includes(` ${namespace}/`) && !/secrets|events/.test(what))
    expect(writes[0]?.what).toBe(`mark ledgerservices ${namespace}/books`)
    expect(writes.map(({ what }) => what)).toContain(`apply statefulsets ${namespace}/ledger-books`)
  }
  for (const { metadata } of await cluster.all(LedgerService))
    expect(metadata.annotations?.[claimAnnotation]).toBe('holdfast-system')
})

test('LSV-28 when only keys change, nothing but their marks changes in the pods of a service that was taken over', async () => {
  await load()
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  const before = await workloads()
  await cluster.user.patch(LedgerClusterAgent, { name: 'biller' }, { spec: { scopes: ['ledger:read'] } })
  const isNew = async () => (await workloads()).every(({ metadata }) => metadata.generation === 2)
  await eventually('pods are made anew', isNew)
  for (const [n, { spec }] of (await workloads()).entries()) {
    const former = before[n]?.spec?.template
    const marks = spec?.template?.metadata?.annotations ?? {}
    expect(spec?.template?.spec).toEqual(former?.spec)
    expect(marks[serviceNames.specHash]).toBe(former?.metadata?.annotations?.[serviceNames.specHash])
    expect(marks[serviceNames.keysHash]).not.toBe(former?.metadata?.annotations?.[serviceNames.keysHash])
    expect(marks[keysRevisionAnnotation]).toBe('1')
  }
})

test('LSV-29 a service of the former operator that is held loads other keys, and nothing else of it changes', async () => {
  await load()
  await cluster.user.patch(LedgerService, { namespace: 'team-a', name: 'books' }, { spec: { restore: true } })
  const former = (await workloads()).find(({ metadata }) => metadata.namespace === 'team-a')
  await cluster.user.patch(LedgerClusterAgent, { name: 'biller' }, { spec: { scopes: ['ledger:read'] } })
  await cluster.runServicesUntil('ledger-system', hasBeenTakenOver)
  const held = await eventually('pods are made anew', async () =>
    (await workloads()).find(({ metadata }) => metadata.namespace === 'team-a' && metadata.generation === 2),
  )
  const { template, ...spec } = held.spec ?? {}
  const { template: formerTemplate, ...formerSpec } = former?.spec ?? {}
  expect(spec).toEqual(formerSpec)
  expect(template?.spec).toEqual(formerTemplate?.spec)
  expect(withoutStamp(template?.metadata?.annotations ?? {})).toEqual(
    withoutStamp(formerTemplate?.metadata?.annotations ?? {}),
  )
  expect(held.metadata).toMatchObject({
    labels: former?.metadata.labels,
    ownerReferences: former?.metadata.ownerReferences,
  })
})
