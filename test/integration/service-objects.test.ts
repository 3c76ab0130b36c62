import { describe, expect, test } from 'vitest'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { ConfigMap, type Kind, Service, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { claimAnnotation, serviceNames } from '../../src/pure/names.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { aLedger, type Ledger, ledgerObjects } from '../kit/ledger.ts'
import { createService, serviceKey } from '../kit/services.ts'
import { aSuite } from '../kit/suite.ts'

const cases = ledgerObjects.map(([kind, name]) => ({ what: `${kind.kind} ${name}`, kind, name }))

describe('objects of a service', () => {
  test('LSV-27 the objects of a service are made, belong to it and go with it', async () => {
    await using ledger = await aLedger()
    const service = await ledger.service()
    for (const [kind, name] of ledgerObjects) {
      const child = await ledger.get(kind, name)
      expect(child?.metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'ledger',
        'app.kubernetes.io/instance': 'books',
        'app.kubernetes.io/managed-by': 'ledger-operator',
      })
      expect(child?.metadata.ownerReferences).toEqual([
        {
          apiVersion: 'ledger.formance.com/v1alpha1',
          kind: 'LedgerService',
          name: 'books',
          uid: service?.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ])
    }
  })

  test.for(cases)('LSV-27 $what comes back when somebody deletes it', async ({ kind, name }) => {
    await using ledger = await aLedger()
    const before = await ledger.get(kind, name)
    await ledger.suite.user.delete(kind, ledger.at(name))
    await ledger.suite.settle()
    const after = await ledger.get(kind, name)
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
    expect(after).toMatchObject({ metadata: { labels: before?.metadata.labels } })
  })

  test.for(cases)('LSV-27 $what gets its label back, and keeps what others add', async ({ kind, name }) => {
    await using ledger = await aLedger()
    const before = await ledger.get(kind, name)
    const metadata = { labels: { [serviceNames.managedBy.label]: null }, annotations: { 'example.com/note': 'ours' } }
    await ledger.suite.user.patch(kind, ledger.at(name), { metadata })
    await ledger.suite.settle()
    const after = await ledger.get(kind, name)
    expect(after?.metadata.uid).toBe(before?.metadata.uid)
    expect(after?.metadata.labels).toEqual(before?.metadata.labels)
    expect(after?.metadata.annotations).toMatchObject({ 'example.com/note': 'ours' })
  })

  test('LSV-27 a value that somebody changes is put back', async () => {
    await using ledger = await aLedger()
    const { user, settle } = { user: ledger.suite.user, settle: () => ledger.suite.settle() }
    await user.patch(StatefulSet, ledger.at('ledger-books'), {
      spec: { updateStrategy: { rollingUpdate: { partition: 2 } } },
    })
    await user.patch(Service, ledger.at('ledger-books'), {
      spec: { selector: { 'app.kubernetes.io/instance': 'other' } },
    })
    await settle()
    expect(await ledger.workload()).toMatchObject({ spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } })
    expect(await ledger.get(Service, 'ledger-books')).toMatchObject({
      spec: { selector: { 'app.kubernetes.io/instance': 'books' } },
    })
  })

  test('LSV-27 a ServiceAccount and a headless Service that are not asked for any more go', async () => {
    await using ledger = await aLedger()
    await ledger.change({ serviceAccount: { name: 'accountant' }, headlessService: { enabled: false } })
    await ledger.suite.settle()
    expect(await ledger.get(ServiceAccount, 'ledger-books'), 'some pods still run as it').toBeDefined()
    await ledger.rollOut()
    await ledger.suite.settle()
    expect(await ledger.get(ServiceAccount, 'ledger-books')).toBeUndefined()
    expect(await ledger.get(ServiceAccount, 'accountant')).toBeDefined()
    expect(await ledger.get(Service, 'ledger-books-headless')).toBeUndefined()
    await ledger.change({ serviceAccount: { name: 'accountant', create: false } })
    await ledger.suite.settle()
    expect(await ledger.get(ServiceAccount, 'accountant'), 'its pods run as it').toBeDefined()
  })
})

test('LSV-38 at rest nothing is sent for a service', async () => {
  await using ledger = await aLedger()
  await ledger.rollOut()
  await ledger.suite.settle()
  const { length } = ledger.writes
  ledger.suite.operator.resync()
  await ledger.suite.settle()
  await ledger.suite.restart()
  expect(ledger.writes.slice(length)).toEqual([])
})

describe('claims', () => {
  test('LSV-37 a service that another installation has claimed is left alone', async () => {
    await using suite = await aSuite(['a'], { withServices: true })
    await createService(suite, 'a', { annotations: { [claimAnnotation]: 'elsewhere' } })
    await suite.start()
    await suite.settle()
    const service = await suite.client.get<LedgerService>(LedgerService, serviceKey(suite, 'a'))
    expect(service?.status).toBeUndefined()
    const { items } = await suite.client.list(StatefulSet, { namespace: suite.named('a') })
    expect(items).toEqual([])
    expect(suite.logs.join()).toContain('claimed by the operator in namespace elsewhere')
  })
})

/** A service beside an object at one of its names that somebody made before. */
const besideA = async (kind: Kind, name: string, object: object = {}): Promise<Ledger> => {
  const ledger = await aLedger({ spec: { replicas: 2, auth: { enabled: true } } })
  await ledger.suite.user.create(kind, { metadata: ledger.at(name), ...object })
  await ledger.change({ replicas: 3 })
  await ledger.suite.settle()
  return ledger
}

describe('LSV-33 a foreign object stays as it is, and the service says ForeignObject', () => {
  test.for([
    {
      what: 'ServiceAccount',
      kind: ServiceAccount,
      name: 'ledger-books',
      object: { automountServiceAccountToken: true },
    },
    { what: 'Service', kind: Service, name: 'ledger-books', object: { spec: { ports: [{ port: 1 }] } } },
    { what: 'ConfigMap', kind: ConfigMap, name: 'ledger-books-auth-keys', object: { data: { a: 'b' } } },
  ])('$what', async ({ kind, name, object }) => {
    await using ledger = await besideA(kind, name, object)
    expect(await ledger.condition()).toMatchObject({ status: 'False', reason: 'ForeignObject' })
    expect((await ledger.condition())?.message).toContain(`${kind.kind} ${name}`)
    expect((await ledger.service())?.status?.phase).toBe('Error')
    const foreign = (await ledger.get(kind, name)) as KubeObject
    expect(foreign.metadata.labels).toBeUndefined()
    expect(foreign.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['somebody'])
    expect(await ledger.get(Service, 'ledger-books-headless')).toBeDefined()
  })

  test('a service whose key list is somebody else’s gets no replicas', async () => {
    await using ledger = await besideA(ConfigMap, 'ledger-books-auth-keys')
    expect(await ledger.workload()).toBeUndefined()
    expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ reason: 'KeyListLeft' })
  })

  test('an object of another service is foreign', async () => {
    await using ledger = await aLedger({ spec: { serviceAccount: { name: 'shared' } } })
    await createService(ledger.suite, 'a', { name: 'second', spec: { serviceAccount: { name: 'shared' } } })
    await ledger.suite.settle()
    const second = await ledger.suite.client.get<LedgerService>(LedgerService, serviceKey(ledger.suite, 'a', 'second'))
    expect(second?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ reason: 'ForeignObject' })
    expect(await ledger.condition()).toMatchObject({ reason: 'ReplicasNotReady' })
  })

  test('it is taken for the service’s when it goes', async () => {
    await using ledger = await besideA(ServiceAccount, 'ledger-books')
    await ledger.suite.user.delete(ServiceAccount, ledger.at('ledger-books'))
    await ledger.suite.settle()
    expect(await ledger.condition()).toMatchObject({ reason: 'ReplicasNotReady' })
  })
})

test('LSV-30 replicas never become fewer, and all else goes on', async () => {
  await using ledger = await aLedger({ spec: { replicas: 5 } })
  await ledger.change({ replicas: 3, debug: true })
  await ledger.suite.settle()
  expect(await ledger.workload()).toMatchObject({ spec: { replicas: 5 } })
  expect(JSON.stringify(await ledger.workload())).toContain('{"name":"DEBUG","value":"true"}')
  await ledger.rollOut()
  await ledger.suite.settle()
  expect(await ledger.condition()).toMatchObject({ status: 'False', reason: 'ScaleDownUnsupported' })
  expect((await ledger.service())?.status).toMatchObject({ phase: 'Running', readyReplicas: 5 })
  await ledger.change({ replicas: 5 })
  await ledger.suite.settle()
  expect(await ledger.condition()).toMatchObject({ status: 'True', reason: 'AllReplicasReady' })
})
