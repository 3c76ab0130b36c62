import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import type { Kind } from '../../src/pure/kind.ts'
import { type Succession, withEntriesApplied } from '../../src/pure/managed-fields.ts'
import { type KubeObject, keyOf, preconditionOf } from '../../src/pure/object.ts'
import { aSuite, type Suite } from '../kit/suite.ts'
import type { Body } from './in-sync/bodies.ts'
import { kinds } from './in-sync/kinds.ts'
import { patch } from './in-sync/server.ts'
import { shortened } from './in-sync/shortened.ts'
import { keepUntilDone, type Wish, wishOf } from './in-sync/wish.ts'

const manager = 'holdfast-test'
const former = 'former-operator'

const successionOf = (kind: Kind): Succession => ({ kind, manager, predecessors: [former] })

const wish = ({ kind }: Succession, suite: Suite, { metadata, ...body }: Body): Wish => {
  const key = { namespace: suite.operatorNamespace, name: 'kept' }
  return wishOf({ kind }, { ...key, ...(metadata as object | undefined) }, body)
}

const applyAs = async (name: string, { kind }: Succession, { sent, desired }: Wish): Promise<void> => {
  expect(await patch(kind, desired.metadata, { as: 'apply-patch', body: sent(desired) }, name)).toBeTypeOf('object')
}

type Making = (suite: Suite, succession: Succession, whole: Wish) => Promise<unknown>

/** The ways in which an object can have come about that is now ours. */
const makings: Readonly<Record<string, Making>> = {
  'that we posted': (suite, succession, whole) => keepUntilDone(suite.client, succession, whole),
  'that we posted and that an apply of ours has met': async (suite, succession, whole) => {
    await keepUntilDone(suite.client, succession, whole)
    await applyAs(manager, succession, whole)
  },
  'that a former operator posted': (suite, { kind }, { sent, desired }) =>
    suite.user.as(former).create(kind, sent(desired)),
  'that a former operator applied': (_suite, succession, whole) => applyAs(former, succession, whole),
}

const ownersOf = ({ metadata }: KubeObject) =>
  metadata.managedFields
    ?.filter(({ subresource }) => subresource === undefined)
    .map((entry) => `${entry.manager} ${entry.operation}`)
    .sort()

const cases = Object.entries(makings).flatMap(([what, make]) => shortened.map((one) => ({ ...one, what, make })))

test.for(cases)('a field goes from a $kind $what, and what others put beside it stays', async (one) => {
  await using suite = await aSuite([])
  const succession = successionOf(kinds[one.kind])
  const whole = wish(succession, suite, one.before)
  await one.make(suite, succession, whole)
  expect(await patch(succession.kind, whole.desired.metadata, one.theirs, 'somebody')).toBeTypeOf('object')

  const { live, done } = await keepUntilDone(suite.client, succession, wish(succession, suite, one.after))

  expect(one.left({ ...live })).toEqual(one.expected)
  expect(done).toEqual(['mark', 'apply'])
  expect(ownersOf(live)).toEqual([`${manager} Apply`, 'somebody Update'])
  await suite.user.delete(succession.kind, live.metadata)
})

test('LCA-22 what a former operator changes of an object that is ours already is put back', async () => {
  await using suite = await aSuite([])
  const succession = successionOf(kinds.ConfigMap)
  const wanted = wish(succession, suite, { data: { a: 'ours' } })
  const key = wanted.desired.metadata
  await keepUntilDone(suite.client, succession, wanted)
  await suite.user.as(former).patch(kinds.ConfigMap, key, { data: { a: 'theirs', b: 'theirs' } })

  const { live } = await keepUntilDone(suite.client, succession, wanted)

  expect(live).toMatchObject({ data: { a: 'ours' } })
  expect(live).not.toHaveProperty('data.b')
  await suite.user.delete(kinds.ConfigMap, key)
})

test('LCA-22 what a former operator applied to a status goes when we no longer say it, and what others say stays', async () => {
  await using suite = await aSuite([])
  await suite.createAgent([])
  const key = { name: suite.agentName }
  const body = { metadata: key, status: { phase: 'Ready', keyID: 'former' } }
  const applying = { as: 'apply-patch', body, subresource: 'status' } as const
  expect(await patch(LedgerClusterAgent, key, applying, former)).toBeTypeOf('object')
  await suite.user.patchStatus(LedgerClusterAgent, key, {
    status: { matchedServices: [{ namespace: 'a', name: 'b' }] },
  })
  const found = await suite.agent()
  const managedFields = withEntriesApplied(found?.metadata.managedFields, {
    ...successionOf(LedgerClusterAgent),
    subresource: 'status',
  })

  const on = preconditionOf(found!)
  const marked = await suite.client.mark(
    LedgerClusterAgent,
    key,
    { on, set: { managedFields: managedFields! } },
    manager,
  )
  const sent = { metadata: keyOf(marked), status: { phase: 'Pending' } }
  await suite.client.applyStatus(LedgerClusterAgent, sent, preconditionOf(marked), manager)

  const agent = await suite.agent()
  expect(agent?.status).toEqual({ phase: 'Pending', matchedServices: [{ namespace: 'a', name: 'b' }] })
  expect(agent?.spec).toEqual(found?.spec)
  expect(ownersOf(agent!)).toEqual(ownersOf(found!))
})

const HorizontalPodAutoscaler: Kind = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
}

test('what a former operator wrote in several versions goes, as far as ours has a field of that name', async () => {
  await using suite = await aSuite([])
  const succession = successionOf(HorizontalPodAutoscaler)
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }
  const spec = { scaleTargetRef, maxReplicas: 5 }
  const wanted = wish(succession, suite, { spec })
  const key = wanted.desired.metadata
  const behavior = { scaleDown: { stabilizationWindowSeconds: 7 } }
  await suite.user.as(former).create(HorizontalPodAutoscaler, {
    metadata: { ...key, labels: { newer: 'yes' } },
    spec: { ...spec, behavior },
  })
  const inOlder = { ...HorizontalPodAutoscaler, version: 'v1' }
  const older = { metadata: { labels: { older: 'yes' } }, spec: { targetCPUUtilizationPercentage: 70 } }
  await suite.user.as(former).patch(inOlder, key, older)

  const { live } = await keepUntilDone(suite.client, succession, wanted)

  expect(ownersOf(live)).toEqual([`${manager} Apply`])
  expect(live.metadata.labels).toBeUndefined()
  // The percentage is one of the metrics in the newer version: the server cannot tell that it was the older field.
  expect(live).toMatchObject({ spec: { metrics: [{ resource: { target: { averageUtilization: 70 } } }] } })
  expect(live).not.toHaveProperty('spec.behavior')
  await suite.user.delete(HorizontalPodAutoscaler, key)
})
