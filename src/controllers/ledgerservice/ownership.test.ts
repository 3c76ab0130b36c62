import { expect, test } from 'vitest'
import { anEntry } from '../../../test/fixtures/agent.ts'
import { aLedgerService } from '../../../test/kit/rendered-service.ts'
import { StatefulSet } from '../../pure/kind.ts'
import { withEntriesApplied } from '../../pure/managed-fields.ts'
import { serviceNames, serviceSuccession } from '../../pure/names.ts'
import type { FieldSet, ObjectMeta } from '../../pure/object.ts'
import { isOurs } from './ownership.ts'

const service = aLedgerService()
const labels = {
  'app.kubernetes.io/name': 'ledger',
  'app.kubernetes.io/instance': 'books',
  'app.kubernetes.io/managed-by': 'ledger-operator',
}
const owned: FieldSet = { 'f:metadata': { 'f:labels': { 'f:app.kubernetes.io/managed-by': {} } } }
const entryOf = (manager: string, fieldsV1 = owned) => anEntry({ manager, operation: 'Update', fieldsV1 })

const anObject = (metadata: Partial<ObjectMeta>) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { namespace: 'team-a', name: 'ledger-books', uid: 'one', resourceVersion: '1', labels, ...metadata },
})

const owner = (uid: string) => [
  { apiVersion: service.apiVersion, kind: service.kind, name: 'books', uid, controller: true },
]

interface Case {
  readonly why: string
  readonly metadata: Partial<ObjectMeta>
}

test.for<Case>([
  { why: 'the service controls it', metadata: { ownerReferences: owner(service.metadata.uid), labels: {} } },
  { why: 'we wrote to it', metadata: { managedFields: [entryOf(serviceNames.manager, {})], labels: {} } },
  { why: 'the former operator wrote to it', metadata: { managedFields: [entryOf('ledger-operator', {})], labels: {} } },
  {
    why: 'an operator wrote its labels, and they and its name are the former operator’s',
    metadata: { managedFields: [entryOf('operator')] },
  },
])('LSV-33 an object is the service’s own when $why', ({ metadata }) => {
  expect(isOurs(anObject(metadata), service)).toBe(true)
})

test.for<Case>([
  { why: 'nobody is known to have written it', metadata: {} },
  {
    why: 'another service controls it',
    metadata: { ownerReferences: owner('another'), managedFields: [entryOf('operator')] },
  },
  { why: 'some operator wrote to it', metadata: { managedFields: [entryOf('operator', { 'f:spec': {} })] } },
  {
    why: 'an operator manages it by another name',
    metadata: {
      labels: { ...labels, 'app.kubernetes.io/managed-by': 'operator' },
      managedFields: [entryOf('operator')],
    },
  },
  {
    why: 'it is another service’s by its labels',
    metadata: { labels: { ...labels, 'app.kubernetes.io/instance': 'other' }, managedFields: [entryOf('operator')] },
  },
  {
    why: 'it has a name that the former operator gave to nothing of this service',
    metadata: { name: 'another-name', managedFields: [entryOf('operator')] },
  },
])('LSV-33 an object is foreign when $why', ({ metadata }) => {
  expect(isOurs(anObject(metadata), service)).toBe(false)
})

test('LSV-27 what another operator adds to an object of the service stays its own', () => {
  const entries = [
    anEntry({ manager: serviceNames.manager, apiVersion: 'apps/v1', fieldsV1: owned }),
    entryOf('operator', { 'f:spec': { 'f:template': { 'f:metadata': { 'f:annotations': { 'f:mesh': {} } } } } }),
  ]
  expect(withEntriesApplied(entries, { ...serviceSuccession, kind: StatefulSet })).toBeUndefined()
})
