import { expect, test } from 'vitest'
import { anObservedService, aWorkload } from '../../../test/fixtures/service.ts'
import { decide } from './decide.ts'
import type { LiveWorkload } from './observed.ts'
import type { Desired } from '../../pure/effects.ts'
import { ownedBy } from './wanted.ts'

const counts = (ready: number) => ({ replicas: 3, readyReplicas: ready, updatedReplicas: 3 })

test.each([
  [0, 'Pending', 'ReplicasNotReady'],
  [1, 'Degraded', 'ReplicasNotReady'],
  [3, 'Running', 'AllReplicasReady'],
])('LSV-36 with %i of three replicas ready a service is %s', (ready, phase, reason) => {
  const workload = { ...aWorkload(counts(ready)), spec: asRendered }
  const { status } = decide(anObservedService({ children: { workload } }))
  expect(status?.fields).toMatchObject({ phase, readyReplicas: ready, tlsMigrationPhase: 'disabled' })
  expect(status?.ready).toMatchObject({ status: phase === 'Running' ? 'True' : 'False', reason })
})

/** The spec that a StatefulSet is made with. */
const asRendered = (() => {
  const created = decide(anObservedService())
    .steps.flat()
    .find((effect) => effect.do === 'create' && effect.kind.kind === 'StatefulSet')
  return (created as unknown as { object: LiveWorkload }).object.spec!
})()

test('LSV-36 endpoints are where the Service is', () => {
  const { status } = decide(anObservedService({ spec: { service: { grpcPort: 1234 } } }))
  expect(status?.fields['endpoints']).toEqual({
    grpc: 'ledger-books.team-a.svc.cluster.local:1234',
    http: 'http://ledger-books.team-a.svc.cluster.local:9000',
    external: false,
  })
})

test('LSV-34 no replica is made while it is not known whether their secret is there', () => {
  const tls = { enabled: true, secretName: 'certificate' }
  const plan = decide(anObservedService({ spec: { tls }, clusterSecret: { unknown: 'no answer' } }))
  expect(plan.steps.flat().map((effect) => effect.do === 'create' && effect.kind.kind)).toEqual([
    'ServiceAccount',
    'Service',
    'Service',
  ])
  expect(plan.status?.ready).toMatchObject({ status: 'False', reason: 'SecretUnreadable', message: 'no answer' })
  expect(plan.lookAgain).toEqual({ after: 10_000 })
})

test('LSV-24 a change that waits is looked at again when the wait is over', () => {
  const plan = decide(anObservedService({ spec: { auth: { enabled: true } }, settlesAt: 9000, now: 5000 }))
  expect(plan.lookAgain).toEqual({ after: 4000 })
  expect(plan.steps.flat().map((effect) => effect.do === 'create' && effect.kind.kind)).not.toContain('StatefulSet')
})

test('LSV-37 nothing is begun for an unclaimed service that is being deleted', () => {
  const { object, ...observed } = anObservedService()
  const metadata = { ...object.metadata, annotations: {}, deletionTimestamp: '2026-01-01T00:00:00Z' }
  expect(decide({ ...observed, object: { ...object, metadata } })).toMatchObject({ stage: 'unmarked', steps: [] })
})

test('LSV-33 what a StatefulSet of somebody else says is not said of the service', () => {
  const { metadata, ...rest } = aWorkload(counts(3), 7)
  const workload = { ...rest, metadata: { ...metadata, managedFields: [] } }
  const { status, steps } = decide(anObservedService({ children: { workload } }))
  expect(status?.fields).toMatchObject({ phase: 'Error', readyReplicas: 0 })
  expect(status?.ready).toMatchObject({ reason: 'ForeignObject' })
  expect(steps.flat().every((effect) => 'kind' in effect && effect.kind.kind !== 'StatefulSet')).toBe(true)
})

test('LSV-39 while the StatefulSet cannot be read nothing is written, and the service says so', () => {
  const { spec: _, ...bare } = aWorkload()
  const workload = { ...bare, unreadable: 'it is larger than 768 KiB' }
  const plan = decide(anObservedService({ children: { workload }, doubt: workload.unreadable }))

  expect(plan.steps.flat()).toEqual([])
  expect(plan.status?.ready).toMatchObject({ status: 'False', reason: 'ObjectUnreadable' })
  expect(plan.status?.ready.message).toContain('StatefulSet ledger-books: it is larger than 768 KiB')
})

test.each([
  ['orphan', []],
  ['foregroundDeletion', [expect.objectContaining({ kind: 'LedgerService' })]],
])(
  'LSV-40 a service that is deleted with the finalizer %s owns %j of what is written meanwhile',
  (finalizer, owners) => {
    const { object } = anObservedService()
    const deletionTimestamp = '2026-01-01T00:00:00Z'
    const service = { ...object, metadata: { ...object.metadata, deletionTimestamp, finalizers: [finalizer] } }
    const desired: Desired = { metadata: { name: 'ledger-books-auth-keys' } }
    const { metadata } = ownedBy(service, desired)

    expect(metadata.ownerReferences ?? []).toEqual(owners)
  },
)
