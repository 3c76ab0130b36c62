import { expect, test } from 'vitest'
import { Secret, StatefulSet } from '../../src/pure/kind.ts'
import { serviceNames } from '../../src/pure/names.ts'
import { aLedger, type Ledger } from '../kit/ledger.ts'
import type { SecretObject } from '../kit/suite.ts'

const tls = { tls: { enabled: true, secretName: 'certificate' } }
const name = serviceNames.clusterSecret('books')
const mine = { 'cluster-secret': 'bWluZQ==' }

const secretOf = (ledger: Ledger) => ledger.get<SecretObject>(Secret, name)

/** A service with TLS that finds a Secret at its name. */
const besideASecret = async (metadata: object = {}): Promise<Ledger> => {
  const ledger = await aLedger({ spec: { ...tls, replicas: 2 } })
  await ledger.suite.user.create(Secret, { metadata: { ...ledger.at(name), ...metadata }, data: mine })
  return ledger
}

const ownedBy = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'example.com/v1', kind, name: 'books', uid: 'former', controller: true }],
})

test('LSV-34 replicas with TLS get a secret of their own, once, before they are made', async () => {
  await using ledger = await aLedger({ spec: tls })
  const secret = await secretOf(ledger)
  const value = Buffer.from(secret?.data?.['cluster-secret'] ?? '', 'base64').toString()
  expect(value).toMatch(/^[0-9a-f]{64}$/)
  const made = ledger.writes.filter((write) => write.startsWith('create'))
  expect(made.indexOf('create secrets a-*/ledger-books-cluster-secret')).toBeLessThan(
    made.indexOf('create statefulsets a-*/ledger-books'),
  )
  expect(made).toContain('create statefulsets a-*/ledger-books')
  expect(ledger.suite.logs.join()).not.toContain(value)
  expect((await ledger.service())?.status?.tlsMigrationPhase).toBe('required')
  await ledger.suite.restart()
  expect(await secretOf(ledger)).toEqual(secret)
})

test.for([
  { whose: 'nobody’s', metadata: {} },
  { whose: 'another program’s', metadata: ownedBy('ExternalSecret') },
])('LSV-34 one that is there and $whose is used as it is', async ({ metadata }) => {
  await using ledger = await besideASecret(metadata)
  await ledger.change({ replicas: 3 })
  await ledger.suite.settle()
  expect((await secretOf(ledger))?.data).toEqual(mine)
  expect(await ledger.workload()).toBeDefined()
})

test('LSV-34 without TLS there is none', async () => {
  await using ledger = await aLedger()
  expect(await secretOf(ledger)).toBeUndefined()
})

const hold = { finalizers: ['example.com/hold'] }

test.for([
  {
    why: 'belongs to a former service of this name',
    metadata: { ...ownedBy('LedgerService'), ...hold },
    isGoing: false,
  },
  { why: 'is being deleted', metadata: hold, isGoing: true },
])(
  'LSV-34 no replica is made with a secret that $why: one is made anew when it is gone',
  async ({ why, ...former }) => {
    await using ledger = await besideASecret(former.metadata)
    const { user } = ledger.suite
    if (former.isGoing) await user.delete(Secret, ledger.at(name))
    await ledger.change({ replicas: 3 })
    await ledger.suite.idle()
    expect(await ledger.workload()).toBeUndefined()
    expect((await secretOf(ledger))?.data).toEqual(mine)
    expect(await ledger.condition()).toMatchObject({ status: 'False', reason: 'SecretUnreadable' })
    expect((await ledger.condition())?.message).toContain(`/${name} ${why}`)

    // As the garbage collector does.
    if (!former.isGoing) await user.delete(Secret, ledger.at(name))
    await user.patch(Secret, ledger.at(name), { metadata: { finalizers: [] } })
    await ledger.suite.settle()
    const secret = await secretOf(ledger)
    expect(secret?.data?.['cluster-secret']).not.toBe(mine['cluster-secret'])
    expect(secret?.metadata.ownerReferences).toMatchObject([{ uid: (await ledger.service())?.metadata.uid }])
    expect(await ledger.workload()).toBeDefined()
  },
)

test('LSV-34 one that is lost is not made anew for replicas that are there: those that run would not know the others', async () => {
  await using ledger = await aLedger({ spec: tls })
  await ledger.suite.user.delete(Secret, ledger.at(name))
  ledger.suite.operator.resync()
  await ledger.suite.restart()
  expect(await secretOf(ledger)).toBeUndefined()
  await ledger.suite.user.delete(StatefulSet, ledger.at('ledger-books'))
  await ledger.suite.settle()
  expect(await secretOf(ledger)).toBeDefined()
  expect(await ledger.workload()).toBeDefined()
})
