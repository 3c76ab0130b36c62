import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { hasEntryOf } from '../../src/pure/managed-fields.ts'
import { ConfigMap, Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation, keyIdAnnotation, takeoverAnnotation } from '../../src/pure/names.ts'
import { type ManagedFieldsEntry, printKey } from '../../src/pure/object.ts'
import { aKey } from '../fixtures/agent.ts'
import recorded from '../fixtures/token-vectors.json' with { type: 'json' }
import { FormerCluster, homes } from '../kit/former-cluster.ts'
import { asReleased, goldenObjects, kindOfGolden } from '../kit/golden-objects.ts'
import type { SecretObject } from '../kit/suite.ts'
import { signToken, type TrustedKeys, verifyToken } from '../kit/token-verifier.ts'

let cluster: FormerCluster

beforeAll(async () => {
  cluster = await FormerCluster.start()
})

afterEach(() => cluster.clear())

afterAll(() => cluster[Symbol.asyncDispose]())

const agents = () => cluster.all<LedgerClusterAgent>(LedgerClusterAgent)

const hasBeenTakenOver = ({ metadata, status }: LedgerClusterAgent): boolean =>
  metadata.annotations?.[claimAnnotation] !== undefined &&
  metadata.annotations[takeoverAnnotation] === undefined &&
  hasEntryOf(metadata.managedFields, agentNames.manager) &&
  status?.targets !== undefined

const takeOver = (home: string) => cluster.runUntil(home, hasBeenTakenOver)

/** All Secrets that were made before an operator came, and those that came with it. */
const keyHolders = async () =>
  (await cluster.all<SecretObject>(Secret))
    .map(({ metadata, data, type }) => ({ key: printKey(metadata), uid: metadata.uid, data, type }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))

const servicesAndLists = async () => [...(await cluster.all(LedgerService)), ...(await cluster.all(ConfigMap))]

/** What the former operator said of its agents, by name. */
const formerStatus = (agent: string) =>
  goldenObjects.find(({ kind, metadata }) => kind === 'LedgerClusterAgent' && metadata.name === agent)
    ?.status as NonNullable<LedgerClusterAgent['status']>

const expectReadyWithSameKeys = async (home: string): Promise<void> => {
  const after = await agents()
  expect(after.map(({ metadata }) => metadata.name)).toEqual(['auditor', 'biller'])
  for (const { metadata, status } of after) {
    const { keyID, distributedSecretRefs, matchedServices } = formerStatus(metadata.name)
    expect(status).toMatchObject({ phase: 'Ready', keyID, distributedSecretRefs, matchedServices })
    const isReady = { status: 'True', reason: 'KeyPairReady', observedGeneration: metadata.generation }
    expect(status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject(isReady)
    expect(metadata.annotations).toMatchObject({ [claimAnnotation]: home })
    expect(metadata.annotations).not.toHaveProperty([takeoverAnnotation])
    const canonical = { namespace: home, name: agentNames.canonical(metadata.name) }
    const marks = { [keyIdAnnotation]: keyID, [claimAnnotation]: home }
    const secret = await cluster.client.get(Secret, canonical)
    expect(secret?.metadata.annotations).toMatchObject(marks)
    expect(status?.keyMade).toBe(secret?.metadata.creationTimestamp)
    expect(await cluster.isGuarded(canonical)).toBe(true)
  }
}

/** Servers keep the lists that they have; what was handed out verifies against these, and they fit the Secrets. */
const expectTokensAccepted = async (): Promise<void> => {
  const lists = (await cluster.all<SecretObject>(ConfigMap)).filter(({ metadata }) =>
    metadata.name.endsWith('auth-keys'),
  )
  expect(lists).toHaveLength(2)
  for (const { data = {} } of lists) {
    const authKeys = JSON.parse(data['auth-keys.json'] ?? '') as TrustedKeys['authKeys']
    expect(verifyToken(signToken(recorded.bundle), { authKeys, files: data })).toEqual({ read: 200, write: 201 })
  }
  for (const { metadata, data } of await cluster.all<SecretObject>(Secret)) {
    const publicKey = lists[0]?.data?.[`agent-${metadata.labels?.[agentNames.label] ?? ''}-pubkey.hex`] ?? ''
    expect(Buffer.from(data?.['pubkey.hex'] ?? '', 'base64').toString()).toBe(publicKey)
  }
}

const writesOf = (pattern: RegExp): readonly string[] =>
  cluster.writes.map(({ what }) => what).filter((what) => pattern.test(what))

const canonicalsIn = (home: string) => ['auditor', 'biller'].map((agent) => `${home}/${agentNames.canonical(agent)}`)

test('LCA-22 the former operator’s objects are in the cluster as it left them, field by field', async () => {
  const timeless = (entries: readonly ManagedFieldsEntry[] = []) => entries.map(({ time: _, ...entry }) => entry)
  const objects = await cluster.load()
  for (const object of objects) {
    const live = await cluster.client.get(kindOfGolden(object), object.metadata)
    expect(timeless(live?.metadata.managedFields)).toEqual(timeless(object.metadata.managedFields))
    expect(live).toMatchObject(object.status === undefined ? {} : { status: object.status })
  }
  for (const { metadata } of await cluster.all(LedgerService)) {
    const owned = objects.filter((object) => JSON.stringify(object.metadata).includes(metadata.uid))
    expect(owned.map((object) => printKey(object.metadata))).toEqual([`${metadata.namespace}/ledger-books-auth-keys`])
  }
})

test.for(homes)('LCA-22 the operator in %s takes all agents over: every key stays and no Secret goes', async (home) => {
  await cluster.load()
  const secrets = await keyHolders()
  const others = await servicesAndLists()
  await takeOver(home)
  await expectReadyWithSameKeys(home)
  const isFromBefore = ({ key }: { key: string }) => secrets.some((secret) => secret.key === key)
  expect((await keyHolders()).filter(isFromBefore)).toEqual(secrets)
  expect(await servicesAndLists()).toEqual(others)
  const made = (await keyHolders()).filter((holder) => !isFromBefore(holder)).map(({ key }) => key)
  expect(made).toEqual(home === 'ledger-system' ? [] : canonicalsIn(home))
  expect(writesOf(/^create secrets/).toSorted()).toEqual(made.map((key) => `create secrets ${key}`))
  expect(writesOf(/^delete/)).toEqual([])
  await expectTokensAccepted()
  const [first] = cluster.writes.filter(({ what }) => what === 'mark ledgerclusteragents biller')
  expect(first?.body).toContain(`"${takeoverAnnotation}":"ledger-operator"`)
})

test('LCA-22 what the former operator wrote as operator is taken over alike', async () => {
  await cluster.load(asReleased(goldenObjects))
  const secrets = await keyHolders()
  await takeOver('ledger-system')
  await expectReadyWithSameKeys('ledger-system')
  expect(await keyHolders()).toEqual(secrets)
  expect(writesOf(/^(create secrets|delete)/)).toEqual([])
  await expectTokensAccepted()
  const entriesOf = (metadata: { readonly managedFields?: readonly ManagedFieldsEntry[] }) =>
    (metadata.managedFields ?? []).filter(({ manager }) => manager === 'operator')
  // The finalizer stays the former operator's: it is never applied, only added and taken away.
  const inStatus = (await agents()).flatMap(({ metadata }) => entriesOf(metadata)).filter((entry) => entry.subresource)
  expect(inStatus).toEqual([])
  const replicas = (await cluster.all(Secret)).filter(({ metadata }) => metadata.namespace !== 'ledger-system')
  expect(replicas.flatMap(({ metadata }) => entriesOf(metadata))).toEqual([])
  const { length } = cluster.writes
  await takeOver('ledger-system')
  expect(cluster.writes.slice(length)).toEqual([])
})

test.for(homes)('LCA-22 LCA-27 the operator in %s has nothing to write when it comes again', async (home) => {
  await cluster.load()
  await takeOver(home)
  const before = [...(await agents()), ...(await cluster.all(Secret))]
  const { length } = cluster.writes
  await takeOver(home)
  expect(cluster.writes.slice(length)).toEqual([])
  expect([...(await agents()), ...(await cluster.all(Secret))]).toEqual(before)
})

test.for([
  { what: 'and a status', hasStatus: true },
  { what: 'and no status', hasStatus: false },
])(
  'LCA-40 agents from before there were canonical Secrets, with copies $what, keep their keys',
  async ({ hasStatus }) => {
    const objects = goldenObjects
      .filter(({ metadata }) => metadata.namespace !== 'ledger-system')
      .map(({ status, ...object }) => (hasStatus && status !== undefined ? { ...object, status } : object))
    await cluster.load(objects)
    const copies = await keyHolders()
    await takeOver('ledger-system')
    await expectReadyWithSameKeys('ledger-system')
    expect((await keyHolders()).filter(({ key }) => !key.startsWith('ledger-system/'))).toEqual(copies)
    expect((await keyHolders()).map(({ key }) => key)).toEqual(expect.arrayContaining(canonicalsIn('ledger-system')))
    expect(writesOf(/^delete/)).toEqual([])
    await expectTokensAccepted()
  },
)

test('LCA-43 LCA-46 a new agent that nobody has claimed is not taken for one of the former operator’s', async () => {
  const labels = { [agentNames.label]: 'newcomer' }
  const copy = { namespace: 'payments', name: agentNames.replica('newcomer') }
  await cluster.user.as('ledger-operator').create(Secret, { metadata: { ...copy, labels }, data: aKey(66) })
  await cluster.user.create(LedgerClusterAgent, {
    metadata: { name: 'newcomer' },
    spec: { selector: { matchLabels: { env: 'none' } }, additionalNamespaces: ['payments'] },
  })
  await cluster.runUntil('ledger-system', ({ status }) => status?.conditions !== undefined)
  const [agent] = await agents()
  expect(agent?.status?.conditions).toContainEqual(expect.objectContaining({ reason: 'AdoptionNeedsConsent' }))
  expect((await keyHolders()).map(({ key }) => key)).toEqual([printKey(copy)])
  expect(cluster.writes.filter(({ body }) => body.includes(takeoverAnnotation))).toEqual([])
})
