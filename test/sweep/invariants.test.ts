import { expect, test } from 'vitest'
import type { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { agentKeyOf } from '../../src/pure/agent-key.ts'
import { agentNames, keyIdAnnotation } from '../../src/pure/names.ts'
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

const revisionsOf = (objects: readonly (KubeObject | [KubeObject, 'DELETED'])[]): Revision[] =>
  objects.map((step, n) => {
    const [object, type] = Array.isArray(step) ? step : ([step, 'MODIFIED'] as const)
    return { object, type, version: BigInt(n + 1) }
  })

const judge = (objects: Parameters<typeof revisionsOf>[0], logs: readonly string[] = []) =>
  violationsOf(revisionsOf(objects), { operatorNamespace: 'operator', logs, seeds: [] })

test('a run in which all is well breaks nothing', () => {
  expect(judge([anAgent(), canonical, replica, anAgent(isReady)])).toEqual([])
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
