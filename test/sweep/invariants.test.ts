import { expect, test } from 'vitest'
import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { agentKeyOf } from '../../src/pure/agent-key.ts'
import {
  agentNames,
  deleteAnnotation,
  droppedAnnotation,
  keyIdAnnotation,
  retiresAnnotation,
  revokeAnnotation,
  revokedAnnotation,
  revokedKeysAnnotation,
} from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { revealToWire } from '../../src/pure/secret-text.ts'
import type { SecretObject } from '../kit/suite.ts'
import { violationsOf } from './invariants.ts'
import type { Revision } from './witness.ts'

const keys = [1, 2].map((n) => agentKeyOf(Buffer.alloc(32, n)))
const [first, second] = keys.map(revealToWire)
const [firstId, secondId] = keys.map((key) => key['key-id'])

const entry = {
  manager: agentNames.manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:seed.hex': {} } },
} as const

const aSecret = (namespace: string, name: string, more: object = {}): SecretObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name, uid: `${namespace}/${name}`, resourceVersion: '1', managedFields: [entry] },
  data: first ?? {},
  ...more,
})

const canonical = aSecret('operator', agentNames.canonical('x'))
const replica = aSecret('a', agentNames.replica('x'))

const anAgent = (status: object = {}, metadata: object = {}): LedgerClusterAgent => ({
  apiVersion: 'ledger.formance.com/v1alpha1',
  kind: 'LedgerClusterAgent',
  metadata: {
    name: 'x',
    uid: 'x',
    resourceVersion: '1',
    generation: 1,
    finalizers: [agentNames.finalizer],
    ...metadata,
  },
  spec: { selector: {}, additionalNamespaces: ['a'] },
  status,
})

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'KeyPairReady',
  message: '',
  lastTransitionTime: '',
  observedGeneration: 1,
}
const isReady = { conditions: [ready], keyID: firstId }

const marked = (keyId: string | undefined) => ({
  metadata: { ...canonical.metadata, annotations: { [keyIdAnnotation]: keyId } },
})
const held = { metadata: { ...replica.metadata, managedFields: [] } }

const deletionMeant = { 'f:metadata': { 'f:annotations': { [`f:${deleteAnnotation}`]: {} } } }

/** The first key, which retires; and that its end is meant: by us, unless somebody else is named. */
const retiring = (at: string): SecretObject => ({
  ...canonical,
  metadata: { ...canonical.metadata, annotations: { [keyIdAnnotation]: firstId ?? '', [retiresAnnotation]: at } },
})
const ending = (at: string, manager: string = agentNames.manager): SecretObject => {
  const { metadata } = retiring(at)
  const annotations = { ...metadata.annotations, [deleteAnnotation]: firstId ?? '' }
  const managedFields = [entry, { ...entry, manager, fieldsV1: deletionMeant }]
  return { ...canonical, metadata: { ...metadata, annotations, managedFields } }
}
const [past, future] = ['2030-01-07T00:00:00Z', '2030-01-09T00:00:00Z']
/** It is no copy any more. */
const going = { ...replica, metadata: { ...replica.metadata, deletionTimestamp: past } }

const withAnnotations = (secret: SecretObject, annotations: Readonly<Record<string, string>>): SecretObject => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, ...annotations } },
})
const revoking = anAgent({}, { annotations: { [revokeAnnotation]: firstId } })
const revoked = withAnnotations(retiring(future), { [revokedAnnotation]: past, [droppedAnnotation]: past })
const revocation = [revoking, retiring(future), revoked] as const
const confirmed = withAnnotations(ending(future), { [revokedAnnotation]: past, [droppedAnnotation]: past })
const undropped = withAnnotations(ending(future), { [revokedAnnotation]: past })
const next = aSecret('operator', `${agentNames.canonical('x')}-2`, { data: second })
const remembering = withAnnotations(next, { [revokedKeysAnnotation]: JSON.stringify([{ keyId: firstId }]) })
/** A key in use whose deletion is confirmed. */
const condemned: SecretObject = {
  ...canonical,
  metadata: {
    ...canonical.metadata,
    annotations: { [keyIdAnnotation]: firstId ?? '', [deleteAnnotation]: firstId ?? '' },
    managedFields: [entry, { ...entry, fieldsV1: deletionMeant }],
  },
}

const revisionsOf = (objects: readonly (KubeObject | [KubeObject, 'DELETED'])[]): Revision[] =>
  objects.map((step, n) => {
    const [object, type] = Array.isArray(step) ? step : ([step, 'MODIFIED'] as const)
    return { object, type, version: BigInt(n + 1) }
  })

const judge = (objects: Parameters<typeof revisionsOf>[0], logs: readonly string[] = []) =>
  violationsOf(revisionsOf(objects), { operatorNamespace: 'operator', logs, seeds: [], now: Date.parse('2030-01-08') })

test.for<{ what: string; objects: Parameters<typeof revisionsOf>[0] }>([
  { what: 'a key that is handed out', objects: [anAgent(), canonical, replica, anAgent(isReady)] },
  {
    what: 'a key that ends in time, with no copy left',
    objects: [anAgent(), retiring(past), replica, [replica, 'DELETED'], ending(past)],
  },
  { what: 'a key that ends while a copy is going', objects: [anAgent(), retiring(past), going, ending(past)] },
  {
    what: 'a key that ends with its agent',
    objects: [anAgent({}, { deletionTimestamp: past }), retiring(future), replica, ending(future)],
  },
  {
    what: 'a revoked key that is deleted when another remembers it',
    objects: [...revocation, remembering, confirmed, [confirmed, 'DELETED']],
  },
  {
    what: 'a revoked key that a user restores',
    objects: [
      ...revocation,
      remembering,
      confirmed,
      [confirmed, 'DELETED'],
      { ...canonical, metadata: { ...canonical.metadata, managedFields: [{ ...entry, manager: 'user' }] } },
    ],
  },
  {
    what: 'a key whose end somebody else means',
    objects: [anAgent(), retiring(future), ending(future, 'somebody')],
  },
])('nothing is broken by $what', ({ objects }) => {
  expect(judge(objects)).toEqual([])
})

test.for([
  {
    invariant: 'I1',
    what: 'another key in the canonical',
    objects: [anAgent(), canonical, aSecret('operator', canonical.metadata.name, { data: second })],
  },
  {
    invariant: 'I1',
    what: 'another key in a copy that we wrote',
    objects: [anAgent(), canonical, aSecret('a', replica.metadata.name, { data: second })],
  },
  { invariant: 'I1', what: 'another key in the status', objects: [anAgent(), canonical, anAgent({ keyID: secondId })] },
  {
    invariant: 'I2',
    what: 'a canonical that does not hold together',
    objects: [anAgent(), { ...canonical, data: { ...first, 'key-id': 'AAAA' } }],
  },
  { invariant: 'I2', what: 'a mark with another key id', objects: [anAgent(), { ...canonical, ...marked(secondId) }] },
  { invariant: 'I3', what: 'a key given up before its time', objects: [anAgent(), retiring(future), ending(future)] },
  {
    invariant: 'I3',
    what: 'a key given up while there is a copy',
    objects: [anAgent(), retiring(past), replica, ending(past)],
  },
  {
    invariant: 'I3',
    what: 'a revoked key deleted that no other remembers',
    objects: [...revocation, next, confirmed],
  },
  {
    invariant: 'I3',
    what: 'a revoked key deleted that only another revoked key remembers',
    objects: [...revocation, withAnnotations(remembering, { [revokedAnnotation]: past }), confirmed],
  },
  {
    invariant: 'I3',
    what: 'a revoked key restored by us after its Secret was deleted',
    objects: [...revocation, remembering, confirmed, [confirmed, 'DELETED'], canonical],
  },
  {
    invariant: 'I10',
    what: 'a revoked key deleted before pods dropped it',
    objects: [...revocation, remembering, undropped],
  },
  {
    invariant: 'I10',
    what: 'a revoked key deleted while there is a replica',
    objects: [...revocation, remembering, replica, confirmed],
  },
  { invariant: 'I10', what: 'a key in use deleted', objects: [anAgent(), canonical, condemned] },
  {
    invariant: 'I5',
    what: 'a seed in the status',
    objects: [anAgent(), canonical, anAgent({ phase: keys[0]?.['seed.hex'].reveal() })],
  },
  { invariant: 'I6', what: 'Ready before the copy is there', objects: [anAgent(), canonical, anAgent(isReady)] },
  { invariant: 'I6', what: 'Ready without a canonical', objects: [anAgent(), replica, anAgent(isReady)] },
  { invariant: 'I6', what: 'a generation that does not exist', objects: [anAgent({ observedGeneration: 2 })] },
  {
    invariant: 'I8',
    what: 'a foreign Secret overwritten',
    objects: [anAgent(), canonical, { ...replica, ...held }, replica],
  },
  {
    invariant: 'I8',
    what: 'what somebody wrote on a copy taken away',
    objects: [
      anAgent(),
      canonical,
      { ...replica, metadata: { ...replica.metadata, annotations: { 'example.com/kept': 'yes' } } },
      replica,
    ],
  },
  { invariant: 'I9', what: 'a key before the finalizer', objects: [anAgent({}, { finalizers: [] }), canonical] },
  {
    invariant: 'I9',
    what: 'a finalizer that goes before the key',
    objects: [anAgent(), canonical, anAgent({}, { finalizers: ['other'] })],
  },
  { invariant: 'I9', what: 'a key that outlives its agent', objects: [anAgent(), canonical, [anAgent(), 'DELETED']] },
] as const)('$invariant notices $what', ({ invariant, objects }) => {
  const broken = judge(objects as unknown as Parameters<typeof judge>[0])
  expect(broken).toEqual(expect.arrayContaining([expect.stringMatching(`^${invariant} `)]))
})

test('I5 notices a seed in the log', () => {
  expect(judge([canonical], [`{"msg":"${first?.['seed.hex'] ?? ''}"}`])).toContainEqual(expect.stringMatching('^I5 '))
})
