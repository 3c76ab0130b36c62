import { expect, test } from 'vitest'
import { aKey, anEntry, anObserved, aSecret, unread, unsound } from '../../../test/fixtures/agent.ts'
import { digestAgentKey } from '../../pure/agent-key.ts'
import { withAppliedMark } from '../../pure/in-sync.ts'
import { agentNames } from '../../pure/names.ts'
import { renderReplica } from './render/replica.ts'
import type { SoundKey } from './ownership.ts'
import { targetStageOf } from './target-stage.ts'

const canonical = { secret: aSecret('system'), key: digestAgentKey(aKey()) as SoundKey }
const wanted = withAppliedMark(renderReplica('biller', 'a', canonical))
const owned = {
  'f:metadata': {
    'f:labels': { [`f:${agentNames.label}`]: {} },
    'f:annotations': { 'f:holdfast.dev/applied': {} },
  },
  'f:type': {},
  'f:data': { 'f:key-id': {}, 'f:pubkey.hex': {}, 'f:seed.hex': {} },
}
const kept = { annotations: wanted.metadata.annotations ?? {}, managedFields: [anEntry({ fieldsV1: owned })] }

test.for([
  { name: 'LCA-10 a namespace that is not there is missing', observed: { namespaces: {} }, is: 'missing' },
  {
    name: 'LCA-11 a namespace that is being deleted is terminating, whatever is in it',
    observed: { namespaces: { a: 'terminating' as const }, replicas: [aSecret('a', { metadata: kept })] },
    is: 'terminating',
  },
  {
    name: 'LCA-17 a replica that cannot be read is unreadable, also when we wrote it',
    observed: { replicas: [aSecret('a', { metadata: kept, key: unread })] },
    is: 'unreadable',
  },
  {
    name: 'LCA-9 a Secret that is not ours is foreign',
    observed: { replicas: [aSecret('a', { key: unsound })] },
    is: 'foreign',
  },
  { name: 'LCA-6 a namespace without a replica is due', observed: {}, is: 'due', effects: ['create'] },
  {
    name: 'LCA-7 a replica whose fields are not all ours is due',
    observed: { replicas: [aSecret('a', { metadata: { ...kept, managedFields: [anEntry()] } })] },
    is: 'due',
    effects: ['apply'],
  },
  {
    name: 'LCA-7 a replica with another key is due although all fields seem ours',
    observed: { replicas: [aSecret('a', { metadata: kept, key: { known: digestAgentKey(aKey(9)) } })] },
    is: 'due',
    effects: ['apply'],
  },
  {
    name: 'LCA-7 a replica that does not hold together is due although all fields seem ours',
    observed: { replicas: [aSecret('a', { metadata: kept, key: unsound })] },
    is: 'due',
    effects: ['apply'],
  },
  {
    name: 'LCA-22 a replica of the former operator is due',
    observed: {
      replicas: [
        aSecret('a', {
          metadata: {
            managedFields: [anEntry({ manager: 'ledger-operator', operation: 'Update', fieldsV1: { 'f:data': {} } })],
          },
        }),
      ],
    },
    is: 'due',
    effects: ['mark'],
  },
  {
    name: 'LCA-24 a replica that is as it should be is served',
    observed: { replicas: [aSecret('a', { metadata: kept })] },
    is: 'served',
  },
])('$name', ({ observed, is, effects }) => {
  const stage = targetStageOf(anObserved(observed), 'a', canonical, [canonical])
  expect(stage).toMatchObject({ namespace: 'a', is })
  expect('effects' in stage ? stage.effects.map((effect) => effect.do) : undefined).toEqual(effects)
})

test('LCA-2 a replica refers to the canonical Secret’s values and holds none', () => {
  const from = { namespace: 'system', name: 'ledger-biller-agent-canonical', uid: 'uid-system', resourceVersion: '11' }
  const valueOf = (field: 'key-id' | 'pubkey.hex' | 'seed.hex') => ({
    from,
    field,
    fingerprint: canonical.key.fingerprints[field],
  })
  expect(renderReplica('biller', 'a', canonical)).toEqual({
    metadata: {
      namespace: 'a',
      name: 'ledger-biller-agent-keys',
      labels: { 'ledger.formance.com/agent-name': 'biller' },
    },
    type: 'Opaque',
    data: { 'key-id': valueOf('key-id'), 'pubkey.hex': valueOf('pubkey.hex'), 'seed.hex': valueOf('seed.hex') },
  })
})
