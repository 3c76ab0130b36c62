import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stored } from './account.ts'
import { Attack, own } from './attack.ts'
import { AttackedCluster, attacker, elsewhere, victim } from './attacked-cluster.ts'
import { aPlantedSecret, plantedKey } from './hostile-objects.ts'
import { operatorNamespace } from './operator-process.ts'
import { agents, secrets } from './paths.ts'
import { annotateAgent, conditionOf, createAgent, everyKeyList, generationOf, replicaOf } from './tenancies.ts'
import { keyIn, servedAgent } from './tenancies.ts'

let cluster: AttackedCluster
beforeAll(async () => {
  cluster = await AttackedCluster.start()
})
afterAll(() => cluster[Symbol.asyncDispose]())

const holdingFinalizer = 'tenant.example.com/hold'
const planted = plantedKey(66)

/** The agent as it is now; fails when the planted key has become one of its own, or is trusted anywhere. */
const agentWithoutPlanted = async (name: string): Promise<Stored | undefined> => {
  const agent = await cluster.admin.get(agents(name))
  expect(agent?.status?.keyID).not.toBe(planted.keyId)
  expect(JSON.stringify(agent?.status?.generations ?? [])).not.toContain(planted.keyId)
  expect(await everyKeyList(cluster.admin)).not.toContain(planted.keyId)
  expect(await keyIn(cluster.admin, victim, name)).not.toBe(planted.keyId)
  return agent
}

/** Where the agent's Secrets are deleted, also when the agent has no operator any more. */
const cleanUpAgent = (attack: Attack, name: string): void => {
  attack.after(async () => {
    await cluster.admin.tryPatch(agents(name), { metadata: { finalizers: null } })
    await cluster.admin.delete(agents(name))
    for (const number of [1, 2, 3]) {
      const path = secrets(operatorNamespace, generationOf(name, number))
      const keyId = (await cluster.admin.get(path))?.metadata.annotations?.['holdfast.dev/key-id']
      if (keyId === undefined) continue
      await cluster.admin.tryPatch(path, { metadata: { annotations: { 'holdfast.dev/delete': keyId } } })
      await cluster.admin.delete(path)
    }
    for (const namespace of [victim, attacker]) await cluster.admin.delete(secrets(namespace, replicaOf(name)))
  })
}

const plantElsewhere = async (attack: Attack, agent: string, finalizers: readonly string[] = []): Promise<void> => {
  const path = secrets(elsewhere, replicaOf(agent))
  await attack.plant(cluster.tenant, path, aPlantedSecret(agent, replicaOf(agent), { data: planted.data, finalizers }))
  attack.after(() => cluster.admin.tryPatch(path, { metadata: { finalizers: null } }))
}

const wipeStatus = (name: string): Promise<void> => cluster.admin.patch(`${agents(name)}/status`, { status: null })

test('ATK-3 a planted key does not become the key of an agent that lost its status and whose key is revoked', async () => {
  await using attack = await Attack.begin(cluster)
  await createAgent(cluster.admin, { name: 'renewed', services: [own.service], namespaces: [victim] })
  cleanUpAgent(attack, 'renewed')
  const former = await servedAgent(cluster.admin, { name: 'renewed', namespaces: [attacker, victim] })
  await cluster.stopOperator()
  await wipeStatus('renewed')
  await plantElsewhere(attack, 'renewed')
  await annotateAgent(cluster.admin, 'renewed', { 'holdfast.dev/revoke': former })
  await using restarted = await Attack.begin(cluster)
  let agent: Stored | undefined
  await restarted.until(
    () => `the agent has a new key; it says ${JSON.stringify(agent?.status?.conditions)}`,
    async () => {
      agent = await agentWithoutPlanted('renewed')
      const { keyID = former } = agent?.status ?? {}
      const isRevoked = !(await everyKeyList(cluster.admin)).includes(former)
      return keyID !== former && isRevoked && (await keyIn(cluster.admin, victim, 'renewed')) === keyID
    },
  )
  await restarted.expectBystandersUnharmed()
})

test.for([
  { what: 'outside the targets', isTarget: false },
  { what: 'in the replica of a target', isTarget: true },
])('ATK-3 a key planted $what does not replace a generation that was lost together with the status', async (row) => {
  await using attack = await Attack.begin(cluster)
  const name = row.isTarget ? 'lost-in-target' : 'lost'
  const namespaces = row.isTarget ? [attacker] : [attacker, victim]
  await createAgent(cluster.admin, { name, namespaces })
  cleanUpAgent(attack, name)
  const first = await servedAgent(cluster.admin, { name, namespaces })
  await annotateAgent(cluster.admin, name, { 'holdfast.dev/rotate': 'once' })
  const second = await attack.until('the key is rotated', async () => {
    const [keyId = '', ...others] = await Promise.all(namespaces.map((one) => keyIn(cluster.admin, one, name)))
    return keyId !== first && keyId !== '' && others.every((other) => other === keyId) && keyId
  })
  await attack.until('the status names both keys', async () => {
    const { generations = [] } = (await cluster.admin.get(agents(name)))?.status ?? {}
    return generations.some(({ state, keyID }) => state === 'Current' && keyID === second) && generations.length === 2
  })
  await cluster.stopOperator()
  const current = secrets(operatorNamespace, generationOf(name, 2))
  await cluster.admin.patch(current, { metadata: { annotations: { 'holdfast.dev/delete': second } } })
  await cluster.admin.delete(current)
  await wipeStatus(name)
  if (row.isTarget) await cluster.tenant.patch(secrets(attacker, replicaOf(name)), { data: planted.data })
  else await plantElsewhere(attack, name)
  await using restarted = await Attack.begin(cluster)
  let agent: Stored | undefined
  await restarted.until(
    () => `the agent says CanonicalLost; it says ${JSON.stringify(agent?.status?.conditions)}`,
    async () => {
      agent = await agentWithoutPlanted(name)
      return conditionOf(agent, 'Ready')?.reason === 'CanonicalLost'
    },
  )
  await restarted.expectBystandersUnharmed()
  await agentWithoutPlanted(name)
})

test('ATK-8 a planted Secret that a finalizer holds does not hold up the deletion of an agent', async () => {
  await using attack = await Attack.begin(cluster)
  await createAgent(cluster.admin, { name: 'leaving', namespaces: [victim] })
  cleanUpAgent(attack, 'leaving')
  await servedAgent(cluster.admin, { name: 'leaving', namespaces: [victim] })
  await plantElsewhere(attack, 'leaving', [holdingFinalizer])
  await cluster.admin.delete(agents('leaving'))
  let agent: Stored | undefined
  await attack.until(
    () => `the agent is deleted; it says ${JSON.stringify(agent?.status?.conditions)}`,
    async () => {
      agent = await cluster.admin.get(agents('leaving'))
      return agent === undefined
    },
  )
  expect(await cluster.admin.get(secrets(victim, replicaOf('leaving')))).toBeUndefined()
  await attack.expectBystandersUnharmed()
})

test('ATK-8 an agent of a name whose former agent left its Secrets does not get the old key', async () => {
  await using attack = await Attack.begin(cluster)
  await createAgent(cluster.admin, { name: 'again', namespaces: [victim, attacker] })
  cleanUpAgent(attack, 'again')
  const former = await servedAgent(cluster.admin, { name: 'again', namespaces: [victim, attacker] })
  await plantElsewhere(attack, 'again', [holdingFinalizer])
  await cluster.stopOperator()
  await cluster.admin.patch(agents('again'), { metadata: { finalizers: null } })
  await cluster.admin.delete(agents('again'))
  await createAgent(cluster.admin, { name: 'again', namespaces: [victim, attacker] })
  await using restarted = await Attack.begin(cluster)
  let agent: Stored | undefined
  await restarted.until(
    () => `the agent has a new key, or says which Secrets are left; it says ${JSON.stringify(agent?.status)}`,
    async () => {
      agent = await agentWithoutPlanted('again')
      expect(agent?.status?.keyID).not.toBe(former)
      const ready = conditionOf(agent, 'Ready')
      if (ready?.status === 'True') return true
      return ready?.message.includes(generationOf('again', 1)) === true || ready?.message.includes(replicaOf('again'))
    },
  )
  await restarted.expectBystandersUnharmed()
})
