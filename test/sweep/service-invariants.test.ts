import { expect, test } from 'vitest'
import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { LedgerService } from '../../src/api/ledgerservice.ts'
import { agentKeyOf } from '../../src/pure/agent-key.ts'
import { type KeyList, type KeyEntry, keysHashOf, nobodyEntry, renderKeyList } from '../../src/pure/key-list.ts'
import { stampMarks, type Workload } from '../../src/pure/key-rollout.ts'
import {
  agentNames,
  deleteAnnotation,
  keysRevisionAnnotation,
  revokeAnnotation,
  revokedAnnotation,
  serviceNames,
} from '../../src/pure/names.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../src/pure/object.ts'
import { revealToWire } from '../../src/pure/secret-text.ts'
import type { SecretObject } from '../kit/suite.ts'
import { serviceViolationsOf } from './service-invariants.ts'

const aMaterial = (n: number) => agentKeyOf(Buffer.alloc(32, n))
const firstId = aMaterial(1)['key-id']

const entryOf = (n: number): KeyEntry => {
  const { 'key-id': keyId, 'pubkey.hex': publicKey } = aMaterial(n)
  const file = serviceNames.publicKeyFile('x', { generation: n, keyId })
  return { agent: 'x', file, keyId, publicKey, scopes: null, god: false }
}

const aGeneration = (n: number, annotations: Readonly<Record<string, string>> = {}): SecretObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    namespace: 'operator',
    name: agentNames.generation('x', n),
    uid: `key ${n}`,
    resourceVersion: '1',
    annotations,
  },
  data: revealToWire(aMaterial(n)),
})

const anAgent = (metadata: object = {}): LedgerClusterAgent => ({
  apiVersion: 'ledger.formance.com/v1alpha1',
  kind: 'LedgerClusterAgent',
  metadata: { name: 'x', uid: 'x', resourceVersion: '1', ...metadata },
})

/** An agent that asks for a label. */
const selecting = (key: string, value = 'yes'): LedgerClusterAgent => ({
  ...anAgent(),
  spec: { selector: { matchLabels: { [key]: value } } },
})

const aService = (labels: Readonly<Record<string, string>>): LedgerService => ({
  apiVersion: 'ledger.formance.com/v1alpha1',
  kind: 'LedgerService',
  metadata: { namespace: 'a', name: 'books', uid: 'books', resourceVersion: '1', labels },
})

const writtenBy = (manager: string, field: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { [`f:${field}`]: {} } },
})

const ours = [writtenBy(serviceNames.manager, 'auth-keys.json')]
const foreign = [writtenBy('somebody', 'auth-keys.json')]
/** Ours, and somebody has changed it. */
const changed = [...foreign, writtenBy(serviceNames.manager, 'nobody-pubkey.hex')]

const metadataOf = (name: string, managedFields = ours) => ({
  namespace: 'a',
  name,
  uid: name,
  resourceVersion: '1',
  managedFields,
})

const aList = (entries: readonly KeyEntry[], managedFields = ours): KeyList => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...metadataOf('ledger-books-auth-keys', managedFields),
    annotations: { [keysRevisionAnnotation]: '1' },
    ownerReferences: [{ apiVersion: '', kind: 'LedgerService', name: 'books', uid: 'books' }],
  },
  data: renderKeyList(entries),
})

const aWorkload = (entries: readonly KeyEntry[], { revision = 1, readyReplicas = 3 } = {}): Workload => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { ...metadataOf('ledger-books'), generation: 1 },
  spec: {
    replicas: 3,
    template: { metadata: { annotations: stampMarks({ hash: keysHashOf(entries), revision }) } },
  },
  status: { observedGeneration: 1, replicas: 3, updatedReplicas: 3, readyReplicas },
})

const hasLoaded: LedgerService = {
  ...aService({}),
  status: { authKeys: [{ agent: 'x', keyID: firstId, state: 'Loaded' }] },
}

type Step = KubeObject | readonly [KubeObject, 'DELETED']

const isGone = (step: Step): step is readonly [KubeObject, 'DELETED'] => Array.isArray(step)

const judge = (steps: readonly Step[]) =>
  serviceViolationsOf(
    steps.map((step, n) => {
      const [object, type] = isGone(step) ? step : ([step, 'MODIFIED'] as const)
      return { object, type, version: BigInt(n + 1) }
    }),
    'operator',
  )

const [first, second] = [entryOf(1), entryOf(2)]
const bothListed = [anAgent(), aGeneration(1), aGeneration(2), aList([first, second])]
const nobody = nobodyEntry('books')
const matched = [aService({ kept: 'yes' }), ...bothListed, selecting('kept')]

test.for<{ what: string; steps: readonly Step[] }>([
  { what: 'a key that is listed and loaded', steps: [...bothListed, aWorkload([first, second]), hasLoaded] },
  {
    what: 'a key that leaves because somebody asks for it',
    steps: [...bothListed, anAgent({ annotations: { [revokeAnnotation]: firstId } }), aList([second])],
  },
  {
    what: 'a key that leaves because it was taken back',
    steps: [...bothListed, aGeneration(1, { [revokedAnnotation]: 'now' }), aList([second])],
  },
  {
    what: 'a key that leaves because its end is meant',
    steps: [...bothListed, aGeneration(1, { [deleteAnnotation]: firstId }), aList([second])],
  },
  {
    what: 'the keys of an agent that is being deleted',
    steps: [...bothListed, anAgent({ deletionTimestamp: 'now' }), aList([nobody])],
  },
  { what: 'the keys of an agent that is gone', steps: [...bothListed, [anAgent(), 'DELETED'], aList([nobody])] },
  {
    what: 'the keys of an agent that the service matches no longer',
    steps: [...matched, aService({}), aList([nobody])],
  },
  { what: 'the keys of an agent that selects others', steps: [...matched, selecting('other'), aList([nobody])] },
  {
    what: 'a strange key that somebody put there, and that leaves',
    steps: [...bothListed, aList([first, second, entryOf(3)], changed), aList([first, second])],
  },
  { what: 'a key that somebody else took out', steps: [...bothListed, aList([second], changed)] },
])('nothing is broken by $what', ({ steps }) => {
  expect(judge(steps)).toEqual([])
})

const note = { annotations: { 'example.com/kept': 'yes' } }

test.for<{ invariant: string; what: string; steps: readonly Step[] }>([
  {
    invariant: 'I2',
    what: 'a key of no generation, also when it leaves again',
    steps: [...bothListed, aList([first, second, entryOf(3)]), aList([first, second])],
  },
  {
    invariant: 'I2',
    what: 'a public key that is another’s',
    steps: [anAgent(), aGeneration(1), aList([{ ...first, agent: undefined, file: 'nobody-pubkey.hex' }])],
  },
  {
    invariant: 'I2',
    what: 'a list that no ledger can read',
    steps: [{ ...aList([first]), data: { 'auth-keys.json': '{' } } as KubeObject],
  },
  { invariant: 'I3', what: 'a key that leaves although it is accepted', steps: [...bothListed, aList([second])] },
  { invariant: 'I3', what: 'a key that leaves although the service matches', steps: [...matched, aList([second])] },
  {
    invariant: 'I3',
    what: 'a key that leaves because a selector means nothing',
    steps: [...matched, selecting('kept', '-'), aList([second])],
  },
  {
    invariant: 'I3',
    what: 'a key that does not come back after somebody spoilt the list',
    steps: [...bothListed, { ...aList([], changed), data: { 'auth-keys.json': '{' } } as KubeObject, aList([second])],
  },
  {
    invariant: 'I3',
    what: 'a revoked key that enters',
    steps: [anAgent(), aGeneration(1), aGeneration(2, { [revokedAnnotation]: 'now' }), aList([first, second])],
  },
  { invariant: 'I6', what: 'Loaded without pods', steps: [...bothListed, hasLoaded] },
  {
    invariant: 'I6',
    what: 'Loaded while a pod is not ready',
    steps: [...bothListed, aWorkload([first, second], { readyReplicas: 2 }), hasLoaded],
  },
  {
    invariant: 'I6',
    what: 'Loaded with pods of an earlier list',
    steps: [...bothListed, aWorkload([first, second], { revision: 0 }), hasLoaded],
  },
  { invariant: 'I6', what: 'Loaded with pods of another list', steps: [...bothListed, aWorkload([first]), hasLoaded] },
  {
    invariant: 'I6',
    what: 'Loaded of a key that is not listed',
    steps: [anAgent(), aGeneration(2), aList([second]), aWorkload([second]), hasLoaded],
  },
  {
    invariant: 'I8',
    what: 'a foreign list overwritten',
    steps: [anAgent(), aGeneration(1), aList([], foreign), aList([first])],
  },
  {
    invariant: 'I8',
    what: 'what somebody wrote on a StatefulSet taken away',
    steps: [{ ...aWorkload([]), metadata: { ...metadataOf('ledger-books'), ...note } }, aWorkload([])],
  },
])('$invariant notices $what', ({ invariant, steps }) => {
  const broken = judge(steps)
  expect(broken).toHaveLength(1)
  expect(broken[0]).toMatch(`${invariant} `)
})
