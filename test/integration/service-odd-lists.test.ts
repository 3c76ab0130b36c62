import { expect, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { ConfigMap, ServiceAccount, StatefulSet } from '../../src/pure/kind.ts'
import { serviceNames } from '../../src/pure/names.ts'
import { revoke } from '../kit/keys-of-suite.ts'
import { aLedger, type Ledger } from '../kit/ledger.ts'
import { unreadableSecrets } from './faults.ts'

const isListed = async (ledger: Ledger, keyId: string): Promise<boolean> =>
  (await ledger.list())?.data?.['auth-keys.json']?.includes(keyId) === true

const currentKey = async ({ suite }: Ledger): Promise<string> => (await suite.agent())?.status?.keyID ?? ''

const listKey = (ledger: Ledger) => ledger.at('ledger-books-auth-keys')

test('LSV-21 LSV-26 a list that is being deleted is kept in step for as long as it is there, and then created again', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await ledger.rollOut()
  await suite.settle()
  const revoked = await currentKey(ledger)
  await suite.user.patch(ConfigMap, listKey(ledger), { metadata: { finalizers: ['example.com/hold'] } })
  await suite.user.delete(ConfigMap, listKey(ledger))
  await revoke(suite, revoked)
  await suite.settle()
  expect(await isListed(ledger, revoked)).toBe(false)
  const stamp = await ledger.stamp()
  expect(stamp?.revision).toBeGreaterThan(0)
  expect(await suite.condition('RevocationComplete')).toMatchObject({ reason: 'Revoking' })

  await suite.user.patch(ConfigMap, listKey(ledger), { metadata: { finalizers: [] } })
  await suite.settle()
  expect(await isListed(ledger, revoked)).toBe(false)
  expect(await ledger.stamp()).toEqual(stamp)
  await ledger.rollOut()
  await suite.settle()
  expect(await suite.condition('RevocationComplete')).toMatchObject({ reason: 'Revoked' })
})

test('LSV-21 a list that was made immutable is replaced when it must change', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  const revoked = await currentKey(ledger)
  await suite.user.patch(ConfigMap, listKey(ledger), { immutable: true })
  await revoke(suite, revoked)
  await suite.settle()
  expect(await isListed(ledger, revoked)).toBe(false)
  expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ status: 'True', reason: 'Published' })
})

test('LSV-21 an immutable list that a finalizer keeps is named, and replaced when it is gone', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  const revoked = await currentKey(ledger)
  await suite.user.patch(ConfigMap, listKey(ledger), {
    immutable: true,
    metadata: { finalizers: ['example.com/hold'] },
  })
  await revoke(suite, revoked)
  await suite.settle()
  const left = await ledger.condition('AuthKeysPublished')
  expect(left).toMatchObject({ status: 'False', reason: 'KeyListLeft' })
  expect(left?.message).toContain('finalizer')

  await suite.user.patch(ConfigMap, listKey(ledger), { metadata: { finalizers: [] } })
  await suite.settle()
  expect(await isListed(ledger, revoked)).toBe(false)
})

test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
  'LSV-18 a file that is called %s is taken out of a list as any other',
  async (file) => {
    await using ledger = await aLedger()
    const { suite } = ledger
    const before = (await ledger.list())?.data
    const data = JSON.parse(`{"${file}":"x"}`) as object
    await suite.user.patch(ConfigMap, listKey(ledger), { data })
    await suite.settle()
    expect((await ledger.list())?.data).toEqual(before)
  },
)

test('LSV-29 pods of a held service whose mark somebody took away load what changes all the same', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await ledger.change({ restore: true })
  const annotations = { [serviceNames.keysHash]: null }
  await suite.user.patch(StatefulSet, ledger.at('ledger-books'), { spec: { template: { metadata: { annotations } } } })
  await ledger.rollOut()
  await suite.settle()
  const revoked = await currentKey(ledger)
  await revoke(suite, revoked)
  await suite.settle()
  expect(await isListed(ledger, revoked)).toBe(false)
  expect((await ledger.stamp())?.hash).not.toBe('')
  expect(await suite.condition('RevocationComplete')).toMatchObject({ reason: 'Revoking' })
})

test('LSV-19 a key that is taken back leaves the list also while no Secret can be read', async () => {
  const fault = unreadableSecrets()
  await using ledger = await aLedger({ gate: fault.gate })
  const revoked = await currentKey(ledger)
  fault.isOn = true
  await revoke(ledger.suite, revoked)
  await eventually('the key is not listed any more', async () => !(await isListed(ledger, revoked)))
})

test('LSV-27 an account that pods are made with is not taken away, also when the service makes none any more', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await ledger.change({ serviceAccount: { create: false, name: 'ledger-books' } })
  await suite.user.delete(StatefulSet, ledger.at('ledger-books'))
  await suite.settle()
  expect(await ledger.workload()).toBeDefined()
  expect(await ledger.get(ServiceAccount, 'ledger-books')).toBeDefined()
})
