import { describe, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { withoutStamp } from '../../src/pure/key-rollout.ts'
import { ConfigMap, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { aLedger, type Ledger, type LedgerOptions } from '../kit/ledger.ts'

const on = { auth: { enabled: true } }

interface Held {
  readonly why: string
  readonly change: object
  readonly reason: string
  readonly message: string
}

const cases: readonly Held[] = [
  {
    why: 'LSV-29 a field without effect',
    change: { restore: true },
    reason: 'UnsupportedFields',
    message: 'spec.restore',
  },
  {
    why: 'LSV-31 other labels to find pods by',
    change: { additionalLabels: { team: 'books' } },
    reason: 'NeedsRecreate',
    message: 'StatefulSet spec.selector',
  },
  {
    why: 'LSV-31 other volumes',
    change: { persistence: { data: { size: '20Gi' } } },
    reason: 'NeedsRecreate',
    message: 'StatefulSet spec.volumeClaimTemplates',
  },
  { why: 'LSV-32 an even number', change: { replicas: 4 }, reason: 'ValidationFailed', message: 'spec.replicas is 4' },
  {
    why: 'LSV-23 LSV-32 a word on tokens that lies elsewhere',
    change: { extraEnv: [{ name: 'AUTH_ENABLED', valueFrom: { configMapKeyRef: { name: 'settings', key: 'auth' } } }] },
    reason: 'ValidationFailed',
    message: 'AUTH_ENABLED',
  },
  {
    why: 'LSV-23 LSV-32 a word on tokens that refers to another',
    change: { extraEnv: [{ name: 'AUTH_ENABLED', value: '$(ASKS)' }] },
    reason: 'ValidationFailed',
    message: 'AUTH_ENABLED',
  },
  {
    why: 'LSV-35 TLS while replicas run',
    change: { tls: { enabled: true, secretName: 'certificate' } },
    reason: 'TLSChangeUnsupported',
    message: 'TLS mode disabled',
  },
]

/** What of a workload may not change while it is held. */
const withoutKeys = async (ledger: Ledger) => {
  const workload = await ledger.workload()
  const { template, ...spec } = workload?.spec ?? {}
  const annotations = withoutStamp(template?.metadata?.annotations ?? {})
  return { ...spec, template: { ...template, metadata: { ...template?.metadata, annotations } } }
}

const others = async (ledger: Ledger) => [
  await ledger.get(Service, 'ledger-books'),
  await ledger.get(Service, 'ledger-books-headless'),
  await ledger.get(ServiceAccount, 'ledger-books'),
]

const giveScopes = ({ suite }: Ledger, scopes: readonly string[]): Promise<void> =>
  suite.user.patch(LedgerClusterAgent, { name: suite.agentName }, { spec: { scopes } })

describe('nothing of a workload is written, and keys are kept in step', () => {
  test.for(cases)('$why', async ({ change, reason, message }) => {
    await using ledger = await aLedger()
    const before = { workload: await withoutKeys(ledger), others: await others(ledger), stamp: await ledger.stamp() }
    // The image would change, if anything did.
    await ledger.change({ image: { tag: 'v2' }, debug: true, ...change })
    await ledger.suite.settle()
    expect(await ledger.condition()).toMatchObject({ status: 'False', reason })
    expect((await ledger.condition())?.message).toContain(message)
    expect((await ledger.service())?.status?.phase).toBe('Error')
    expect(await withoutKeys(ledger)).toEqual(before.workload)
    expect(await ledger.stamp()).toEqual(before.stamp)

    await giveScopes(ledger, ['ledger:read'])
    await ledger.suite.settle()
    expect((await ledger.list())?.data?.['auth-keys.json']).toContain('ledger:read')
    const stamp = await ledger.stamp()
    expect(stamp).toMatchObject({ revision: 1 })
    expect(stamp?.hash).not.toBe(before.stamp?.hash)
    await giveScopes(ledger, ['ledger:write'])
    await ledger.suite.settle()
    expect(await ledger.stamp()).toMatchObject({ revision: 2 })
    expect(await withoutKeys(ledger)).toEqual(before.workload)
    expect(await others(ledger)).toEqual(before.others)
  })

  test.for(cases)('and goes on when it is put right: $why', async ({ change }) => {
    await using ledger = await aLedger()
    await ledger.change({ image: { tag: 'v2' }, ...change })
    await giveScopes(ledger, ['ledger:read'])
    await ledger.suite.settle()
    const undone = Object.fromEntries(Object.keys(change).map((field) => [field, field === 'replicas' ? 3 : null]))
    await ledger.change(undone)
    await ledger.suite.settle()
    expect(await ledger.condition()).toMatchObject({ reason: 'ReplicasNotReady' })
    expect(JSON.stringify(await ledger.workload())).toContain('ledger:v2')
    const { length } = ledger.writes
    ledger.suite.operator.resync()
    await ledger.suite.settle()
    expect(ledger.writes.slice(length)).toEqual([])
  })
})

const aHeldLedger = (change: object, options: LedgerOptions = {}) => aLedger({ spec: { ...on, ...change }, ...options })

test('LSV-29 LSV-32 a new service that is held gets nothing at all', async () => {
  await using ledger = await aHeldLedger({ restore: true, replicas: 4 })
  expect(await ledger.workload()).toBeUndefined()
  expect(await ledger.list()).toBeUndefined()
  expect(await ledger.condition()).toMatchObject({ reason: 'ValidationFailed' })
  expect((await ledger.condition())?.message).toContain('spec.restore')
  expect(await ledger.condition('ConfigValid')).toMatchObject({ status: 'False', reason: 'ValidationFailed' })
  expect(ledger.writes.filter((write) => write.includes(' a-*/ledger-books'))).toEqual([])
})

test('LSV-23 LSV-32 a new service of which nobody can tell whether it asks for tokens gets nothing at all', async () => {
  await using ledger = await aHeldLedger({ extraEnv: [{ name: 'AUTH_ENABLED', value: '$(ASKS)' }] })
  expect(await ledger.condition()).toMatchObject({ status: 'False', reason: 'ValidationFailed' })
  expect(ledger.writes.filter((write) => write.includes(' a-*/ledger-books'))).toEqual([])
})

test.for([
  { why: 'LSV-29', change: { restore: true } },
  { why: 'LSV-23', change: { extraEnv: [{ name: 'AUTH_ENABLED', value: '$(ASKS)' }] } },
])('$why LSV-21 a service that is held gets its key list back: its pods cannot start without', async ({ change }) => {
  await using ledger = await aLedger()
  const before = await ledger.list()
  await ledger.change(change)
  await ledger.suite.settle()
  await ledger.suite.user.delete(ConfigMap, ledger.at('ledger-books-auth-keys'))
  await ledger.suite.settle()
  expect((await ledger.list())?.data).toEqual(before?.data)
})

test('LSV-31 labels that have changed are said as the former operator said it', async () => {
  await using ledger = await aLedger()
  expect(await ledger.condition('SelectorImmutable')).toMatchObject({ status: 'True', reason: 'Stable' })
  await ledger.change({ additionalLabels: { team: 'books' } })
  await ledger.suite.settle()
  expect(await ledger.condition('SelectorImmutable')).toMatchObject({ status: 'False', reason: 'SelectorDrift' })
})

test('LSV-31 a StatefulSet that is deleted is made as it shall be', async () => {
  await using ledger = await aLedger()
  await ledger.change({ persistence: { data: { size: '20Gi' } } })
  await ledger.suite.settle()
  await ledger.suite.user.delete(StatefulSet, ledger.at('ledger-books'))
  await ledger.suite.settle()
  expect(JSON.stringify(await ledger.workload())).toContain('20Gi')
  expect(await ledger.condition()).toMatchObject({ reason: 'ReplicasNotReady' })
})

test('LSV-27 a service that is being deleted gets nothing back, and its keys are kept in step', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await suite.user.patch(LedgerService, ledger.key(), { metadata: { finalizers: ['example.com/hold'] } })
  await suite.user.delete(LedgerService, ledger.key())
  await suite.user.delete(Service, ledger.at('ledger-books'))
  await giveScopes(ledger, ['ledger:read'])
  await suite.settle()
  expect(await ledger.get(Service, 'ledger-books')).toBeUndefined()
  expect(await ledger.stamp()).toMatchObject({ revision: 1 })
  expect(await ledger.condition()).toMatchObject({ status: 'False', reason: 'Deleting' })
  await suite.user.patch(LedgerService, ledger.key(), { metadata: { finalizers: [] } })
})

const tls = { tls: { enabled: true, secretName: 'certificate' } }

test('LSV-35 a single replica may change to TLS: it understands itself', async () => {
  await using ledger = await aLedger({ spec: { ...on, replicas: 1 } })
  await ledger.change(tls)
  await ledger.suite.settle()
  expect(JSON.stringify(await ledger.workload())).toContain('{"name":"TLS_MODE","value":"required"}')
  expect(JSON.stringify(await ledger.workload())).toContain('ledger-books-cluster-secret')
})
