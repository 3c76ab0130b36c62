import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stored } from './account.ts'
import { Attack, own } from './attack.ts'
import { AttackedCluster, attacker, victim } from './attacked-cluster.ts'
import { nestedFields } from './hostile-objects.ts'
import { operatorNamespace } from './operator-process.ts'
import { agents, configMaps, secrets, statefulSets } from './paths.ts'
import { annotateAgent, createAgent, keyIn, keyListOf, replicaOf, servedAgent } from './tenancies.ts'

let cluster: AttackedCluster
beforeAll(async () => {
  cluster = await AttackedCluster.start()
})
afterAll(() => cluster[Symbol.asyncDispose]())

// Deeper entries take the server itself long to read, so that a test would wait for nothing else.
const deeperThanTheStack = 3_500
const agentManager = 'holdfast-ledgerclusteragent'
const serviceManager = 'holdfast-ledgerservice'

const operations = ['Update', 'Apply']
const others: readonly string[] = ['somebody']
const hostileFields = [
  { what: 'nested too deep', others: [], operations: ['Update'], fields: nestedFields(deeperThanTheStack) },
  {
    what: 'senseless steps',
    others,
    operations,
    fields: '{"k:not-json":{},"v:{":{},"i:x":{},"":{},"f:data":{".":{}}}',
  },
  {
    what: 'names of the prototype',
    others,
    operations,
    fields: '{"f:__proto__":{"f:x":{}},"__proto__":{},"f:constructor":{}}',
  },
]

/** Objects that the operator writes, their manager, and a change that it takes back. */
const attacked = [
  {
    what: 'a replica',
    path: secrets(attacker, replicaOf(own.agent)),
    apiVersion: 'v1',
    manager: agentManager,
    drift: { data: { 'seed.hex': Buffer.from('drift').toString('base64') } },
  },
  {
    what: 'a key list',
    path: configMaps(attacker, keyListOf(own.service)),
    apiVersion: 'v1',
    manager: serviceManager,
    drift: { data: { 'auth-keys.json': 'drift' } },
  },
  {
    what: 'a StatefulSet',
    path: statefulSets(attacker, `ledger-${own.service}`),
    apiVersion: 'apps/v1',
    manager: serviceManager,
    drift: { spec: { template: { metadata: { annotations: { 'ledger.formance.com/spec-hash': 'drift' } } } } },
  },
]

type Attacked = (typeof attacked)[number]

/** Entries of another program and of ours, written as text. */
const entriesOf = (
  { apiVersion, manager }: Attacked,
  { others, operations, fields }: (typeof hostileFields)[number],
): string =>
  [...others, manager]
    .flatMap((name) => operations.map((operation) => ({ manager: name, operation })))
    .map((entry) => ({ ...entry, apiVersion, time: '2026-01-01T00:00:00Z', fieldsType: 'FieldsV1' }))
    .map((entry) => `${JSON.stringify(entry).slice(0, -1)},"fieldsV1":${fields}}`)
    .join(',')

/** How often the key list has changed is written on the template too: the attack on the list is one more change. */
const revision = /"holdfast.dev\/keys-revision":"\d+",?/

const contentOf = (object: Stored | undefined): string =>
  JSON.stringify([object?.data, object?.spec?.['template']]).replace(revision, '')

// The API server itself takes seconds for each write to an object with such an entry.
const repairedWithinMs = 45_000

test.for(hostileFields)(
  'ATK-9 drift is repaired of objects whose managed fields are $what',
  { timeout: 180_000 },
  async (hostile) => {
    await using attack = await Attack.begin(cluster)
    const before = await Promise.all(attacked.map(({ path }) => cluster.admin.get(path)))
    const statuses: number[] = []
    const stored: number[] = []
    for (const object of attacked) {
      const forged = `{"metadata":{"managedFields":[${entriesOf(object, hostile)}]}}`
      statuses.push(await cluster.tenant.tryPatch(object.path, forged, { fieldManager: 'somebody' }))
      stored.push(JSON.stringify((await cluster.admin.get(object.path))?.metadata.managedFields).length)
      await attack.tamper(object.path, object.drift)
    }
    console.log(
      `the server answered forged field managers with ${statuses.join(', ')}, and keeps ${stored.join(', ')} characters`,
    )
    for (const [index, { what, path }] of attacked.entries())
      await attack.until(
        () => `${what} is repaired; the operator wrote:\n${attack.operator.lastLines}`,
        async () => contentOf(await cluster.admin.get(path)) === contentOf(before[index]),
        repairedWithinMs,
      )
    await attack.expectBystandersUnharmed()
  },
)

test('ATK-12 a rotation every second is refused, or does not fill the operator’s namespace', async () => {
  await using attack = await Attack.begin(cluster)
  const mostKeys = 8
  const watchedMs = 20_000
  attack.after(() => cluster.admin.delete(agents('hasty')))
  const wish = { name: 'hasty', namespaces: [attacker], rotation: { every: '1s', overlap: '1h' } }
  const isRefused = await createAgent(cluster.admin, wish).then(
    () => false,
    (error: unknown) => String(error).includes(' 422 '),
  )
  const isOfAgent = (name: string) => name.startsWith('ledger-hasty-agent-canonical')
  const until = Date.now() + (isRefused ? 0 : watchedMs)
  while (Date.now() < until) {
    const names = (await cluster.admin.list(secrets(operatorNamespace))).map(({ metadata }) => metadata.name)
    expect(names.filter(isOfAgent).length).toBeLessThanOrEqual(mostKeys)
    await pause(200)
  }
  await attack.expectBystandersUnharmed()
})

/** Changes a Secret again and again until it is stopped, as fast as this. */
const churn = (path: string, timesPerSecond: number): AsyncDisposable & { readonly writes: () => number } => {
  let writes = 0
  let isStopped = false
  const loop = async () => {
    while (!isStopped) {
      const data = { 'seed.hex': Buffer.from(`churn ${writes}`).toString('base64') }
      const [status] = await Promise.all([cluster.tenant.tryPatch(path, { data }), pause(1_000 / timesPerSecond)])
      if (status < 300) writes += 1
    }
  }
  const running = loop()
  running.catch(() => undefined)
  return {
    writes: () => writes,
    async [Symbol.asyncDispose]() {
      isStopped = true
      await running
    },
  }
}

test('ATK-15 a replica that changes all the time holds up neither other targets nor the end of the agent', async () => {
  await using attack = await Attack.begin(cluster)
  await createAgent(cluster.admin, { name: 'busy', namespaces: [attacker, victim] })
  attack.after(() => cluster.admin.delete(agents('busy')))
  const first = await servedAgent(cluster.admin, { name: 'busy', namespaces: [attacker, victim] })
  await using churning = churn(secrets(attacker, replicaOf('busy')), 50)
  await attack.until('the replica churns', () => Promise.resolve(churning.writes() > 20))
  await annotateAgent(cluster.admin, 'busy', { 'holdfast.dev/rotate': 'once' })
  await attack.until('the other target gets the new key', async () => {
    const keyId = await keyIn(cluster.admin, victim, 'busy')
    return keyId !== first && keyId !== ''
  })
  const before = churning.writes()
  await attack.until('the replica still churns', () => Promise.resolve(churning.writes() > before))
  await cluster.admin.delete(agents('busy'))
  await attack.until('the agent is deleted', async () => (await cluster.admin.get(agents('busy'))) === undefined)
  expect(await cluster.admin.get(secrets(victim, replicaOf('busy')))).toBeUndefined()
  await attack.expectBystandersUnharmed()
})
