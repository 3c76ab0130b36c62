import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stored } from './account.ts'
import { Attack } from './attack.ts'
import { AttackedCluster, attacker, elsewhere, victim } from './attacked-cluster.ts'
import { agents, configMaps, ledgerServices, pods, quotas, secrets, statefulSets } from './paths.ts'
import { annotateAgent, conditionOf, createAgent, createService, keyIn, keyListOf, keyListText } from './tenancies.ts'
import { replicaOf, servedAgent, untilListed } from './tenancies.ts'

let cluster: AttackedCluster
beforeAll(async () => {
  cluster = await AttackedCluster.start({ controllerManager: true })
})
afterAll(() => cluster[Symbol.asyncDispose]())

const overlap = '3s'
// Two rolling restarts, the overlap, and what waits so that several changes cost one restart.
const rotatedWithinMs = 45_000

interface Obstacle {
  readonly name: string
  readonly namespace: string
  /** Whether the tenant can be given a new key at all. */
  readonly isServed: boolean
  /** What the tenant does to its replica. */
  readonly build: (path: string, replica: Stored) => Promise<unknown>
}

const recreated = (replica: Stored, type: string, more: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: replica.metadata.name, labels: replica.metadata.labels },
  type,
  data: { ...replica.data, ...more },
})

const obstacles: readonly Obstacle[] = [
  {
    name: 'immutable',
    namespace: attacker,
    isServed: true,
    build: (path) => cluster.tenant.patch(path, { immutable: true }),
  },
  {
    name: 'other-type',
    namespace: attacker,
    isServed: true,
    build: async (path, replica) => {
      await cluster.stopOperator()
      await cluster.tenant.delete(path)
      const body = recreated(replica, 'kubernetes.io/basic-auth', { username: 'eA==' })
      await cluster.tenant.create(secrets(attacker), body)
      await cluster.operator()
    },
  },
  {
    name: 'quota',
    namespace: elsewhere,
    isServed: false,
    build: async (path) => {
      const quota = {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'none' },
        spec: { hard: { secrets: '0' } },
      }
      await cluster.tenant.create(quotas(elsewhere), quota)
      const status = { hard: { secrets: '0' }, used: { secrets: '1' } }
      await cluster.tenant.patch(`${quotas(elsewhere, 'none')}/status`, { status })
      await cluster.tenant.delete(path)
    },
  },
]

/** Rotates the key twice, each time to the very end: who has the former key is let in nowhere. */
const rotateTwice = async (attack: Attack, { name, namespace, isServed }: Obstacle): Promise<void> => {
  const places = isServed ? [namespace, victim] : [victim]
  for (const request of ['first', 'second']) {
    const former = await keyIn(cluster.admin, victim, name)
    await annotateAgent(cluster.admin, name, { 'holdfast.dev/rotate': request })
    let seen: readonly string[] = []
    let said = ''
    await attack.until(
      () =>
        `${name}: the ${request} rotation replaces key ${former} in ${places.join(', ')}; there is ${seen.join(', ')}; the agent says ${said}`,
      async () => {
        said = JSON.stringify((await cluster.admin.get(agents(name)))?.status?.conditions)
        seen = await Promise.all(places.map((place) => keyIn(cluster.admin, place, name)))
        return seen.every((keyId) => keyId !== former && keyId !== '') && new Set(seen).size === 1
      },
      rotatedWithinMs,
    )
    await attack.until(
      `${name}: key ${former} leaves the key list after the ${request} rotation`,
      async () => !(await keyListText(cluster.admin, namespace, name)).includes(former),
      rotatedWithinMs,
    )
  }
}

test('ATK-7 a tenant whose replica cannot be changed does not hold up a rotation', { timeout: 200_000 }, async () => {
  await using attack = await Attack.begin(cluster)
  for (const { name, namespace } of obstacles) {
    await createService(cluster.admin, { namespace, name })
    await createAgent(cluster.admin, { name, services: [name], namespaces: [victim], rotation: { overlap } })
    attack.after(() => cluster.admin.delete(ledgerServices(namespace, name)))
    attack.after(() => cluster.admin.delete(agents(name)))
    attack.after(() => cluster.admin.delete(secrets(namespace, replicaOf(name))))
  }
  attack.after(() => cluster.admin.delete(quotas(elsewhere, 'none')))
  for (const { name, namespace } of obstacles)
    await untilListed(
      cluster.admin,
      { namespace, name },
      await servedAgent(cluster.admin, { name, namespaces: [namespace] }),
    )
  for (const { name, namespace, build } of obstacles) {
    const path = secrets(namespace, replicaOf(name))
    await build(path, (await cluster.admin.get(path))!)
  }
  await using restarted = await Attack.begin(cluster)
  const outcomes = await Promise.allSettled(obstacles.map((obstacle) => rotateTwice(restarted, obstacle)))
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(failures).toEqual([])
  await restarted.expectBystandersUnharmed()
})

test('ATK-22 a revocation is not complete while pods of a deleted service run with the key', async () => {
  await using attack = await Attack.begin(cluster)
  const [name, namespace] = ['orphaned', attacker]
  await createService(cluster.admin, { namespace, name })
  await createAgent(cluster.admin, { name, services: [name], namespaces: [victim] })
  attack.after(() => cluster.admin.delete(agents(name)))
  attack.after(() => cluster.admin.delete(ledgerServices(namespace, name)))
  const keyId = await servedAgent(cluster.admin, { name, namespaces: [namespace, victim] })
  await untilListed(cluster.admin, { namespace, name }, keyId)
  const pod = pods(namespace, `ledger-${name}-0`)
  await attack.until('the service runs', async () => {
    const { status } = (await cluster.admin.get(ledgerServices(namespace, name))) ?? {}
    return JSON.stringify(status ?? {}).includes('"state":"Loaded"')
  })
  const { uid } = (await cluster.admin.get(pod))!.metadata
  await cluster.admin.delete(ledgerServices(namespace, name), { propagationPolicy: 'Orphan' })
  await cluster.admin.untilGone(ledgerServices(namespace, name), rotatedWithinMs)
  await annotateAgent(cluster.admin, name, { 'holdfast.dev/revoke': keyId })
  const revocation = async () => conditionOf(await cluster.admin.get(agents(name)), 'RevocationComplete')
  await attack.until('the revocation is reported', async () => (await revocation()) !== undefined)
  // A write of another object is carried out meanwhile: what is said then is not about to change.
  await attack.expectBystandersUnharmed()
  expect((await cluster.admin.get(pod))?.metadata.uid).toBe(uid)
  expect(await cluster.admin.get(configMaps(namespace, keyListOf(name)))).toBeDefined()
  expect(await revocation()).toMatchObject({ status: 'False' })

  await cluster.admin.delete(statefulSets(namespace, `ledger-${name}`))
  await cluster.admin.delete(configMaps(namespace, keyListOf(name)))
  await cluster.admin.delete(pod)
  await attack.until('the revocation is complete', async () => (await revocation())?.status === 'True')
})
