import { afterAll, beforeAll, expect, test } from 'vitest'
import { Attack, own } from './attack.ts'
import { AttackedCluster, attacker } from './attacked-cluster.ts'
import { aConfigMap, keyListFiles, nestedArrays, strayKey } from './hostile-objects.ts'
import { agents, configMaps, ledgerServices } from './paths.ts'
import { annotateAgent, conditionOf, createAgent, createService, keyListOf, keyListText } from './tenancies.ts'
import { servedAgent, untilListed } from './tenancies.ts'

let cluster: AttackedCluster
beforeAll(async () => {
  cluster = await AttackedCluster.start()
})
afterAll(() => cluster[Symbol.asyncDispose]())

const deeperThanTheStack = 6_000

const ownList = configMaps(attacker, keyListOf(own.service))
const ownListText = () => keyListText(cluster.admin, attacker, own.service)

/** The list names the agent's key, and nothing that the attack has put there. */
const expectListRepaired = async (attack: Attack, trace: string): Promise<void> => {
  const keyId = (await cluster.admin.get(agents(own.agent)))?.status?.keyID ?? 'no key'
  await attack.until(`the key list of ${own.service} is repaired`, async () => {
    const text = await ownListText()
    return text.includes(keyId) && !text.includes(trace)
  })
}

test('ATK-1 a key list that is nested too deep ends neither the leader nor a standby', async () => {
  await using attack = await Attack.begin(cluster)
  const standby = await attack.standby()
  const files = keyListFiles('x', nestedArrays(deeperThanTheStack))
  await attack.plant(cluster.tenant, configMaps(attacker, 'anything'), aConfigMap('anything', files))
  await attack.tamper(ownList, { data: files })
  await expectListRepaired(attack, strayKey('x').keyId)
  await attack.expectBystandersUnharmed()
  standby.mustBeAlive()
})

test('ATK-1 an operator starts where a key list is nested too deep', async () => {
  await using attack = await Attack.begin(cluster)
  await cluster.stopOperator()
  const files = keyListFiles('x', nestedArrays(deeperThanTheStack))
  await attack.plant(cluster.tenant, configMaps(attacker, 'anything'), aConfigMap('anything', files))
  await attack.tamper(ownList, { data: files })
  await using restarted = await Attack.begin(cluster)
  await expectListRepaired(restarted, strayKey('x').keyId)
  await restarted.expectBystandersUnharmed()
})

test('ATK-2 a quantity that takes long to read does not hold up the operator', async () => {
  await using attack = await Attack.begin(cluster)
  const name = 'long-quantity'
  const memory = `${'1'.repeat(100_000)}e1.5`
  const spec = { auth: { enabled: true }, replicas: 1, resources: { limits: { memory } } }
  const path = ledgerServices(attacker, name)
  const body = { apiVersion: 'ledger.formance.com/v1alpha1', kind: 'LedgerService', metadata: { name }, spec }
  const { status } = await cluster.admin.send('POST', ledgerServices(attacker), body)
  attack.after(() => cluster.admin.delete(path))
  expect([201, 422]).toContain(status)
  const said = async () => conditionOf(await cluster.admin.get(path), 'Ready')
  const isSaid = attack.until('the service says what is wrong', async () => {
    return status === 422 || (await said())?.status === 'False'
  })
  // What an operator that is held up does to others is said first.
  await isSaid.catch(() => undefined)
  await attack.expectBystandersUnharmed()
  await isSaid
})

test('ATK-6 scopes that are not a list are repaired', async () => {
  await using attack = await Attack.begin(cluster)
  const json = (await cluster.admin.get(ownList))?.data?.['auth-keys.json'] ?? ''
  const { keys } = JSON.parse(json) as { keys: object[] }
  const hostile = JSON.stringify({ keys: keys.map((key) => ({ ...key, scopes: 'ledger:read' })) })
  expect(hostile).toContain('"scopes":"ledger:read"')
  await attack.tamper(ownList, { data: { 'auth-keys.json': hostile } })
  await expectListRepaired(attack, '"scopes\\":\\"ledger:read')
  await attack.expectBystandersUnharmed()
})

test('ATK-6 a revoked key leaves a list whose scopes are not a list, and until then the list is not called good', async () => {
  await using attack = await Attack.begin(cluster)
  const service = { namespace: attacker, name: 'odd-books' }
  await createService(cluster.admin, service)
  attack.after(() => cluster.admin.delete(ledgerServices(attacker, service.name)))
  await createAgent(cluster.admin, { name: 'odd', services: [service.name] })
  attack.after(() => cluster.admin.delete(agents('odd')))
  const keyId = await servedAgent(cluster.admin, { name: 'odd' })
  await untilListed(cluster.admin, service, keyId)
  await cluster.stopOperator()
  const path = configMaps(attacker, keyListOf(service.name))
  const { data = {} } = (await cluster.admin.get(path)) ?? {}
  const odd = (data['auth-keys.json'] ?? '').replace(/"scopes": \[[^\]]*\]/, '"scopes": "ledger:read"')
  expect(odd).toContain('"scopes": "ledger:read"')
  await attack.tamper(path, { data: { 'auth-keys.json': odd } })
  await annotateAgent(cluster.admin, 'odd', { 'holdfast.dev/revoke': keyId })
  await using restarted = await Attack.begin(cluster)
  const isListed = async () => (await keyListText(cluster.admin, attacker, service.name)).includes(keyId)
  await restarted.until('the revoked key leaves the list', async () => {
    const agent = await cluster.admin.get(agents('odd'))
    if (!(await isListed())) return true
    expect(conditionOf(agent, 'RevocationComplete')?.status).not.toBe('True')
    return false
  })
  await restarted.expectBystandersUnharmed()
})

test.for(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'ATK-10 a file called %s is removed from a key list',
  async (file) => {
    await using attack = await Attack.begin(cluster)
    const { hex } = strayKey(file)
    // Written as text: an object literal would set its prototype.
    await attack.tamper(ownList, `{"data":{${JSON.stringify(file)}:"${hex}"}}`)
    expect(await ownListText()).toContain(hex)
    await expectListRepaired(attack, hex)
    await attack.expectBystandersUnharmed()
  },
)
