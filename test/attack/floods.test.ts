import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { Attack, own } from './attack.ts'
import { AttackedCluster, attacker } from './attacked-cluster.ts'
import { aConfigMap, aPlantedSecret } from './hostile-objects.ts'
import type { OperatorProcess } from './operator-process.ts'
import { configMaps, secrets } from './paths.ts'

let cluster: AttackedCluster
beforeAll(async () => {
  cluster = await AttackedCluster.start()
})
afterAll(() => cluster[Symbol.asyncDispose]())

const floodOf = 300
const bytesOfEach = 1_000_000
const sentAtOnce = 4
const floodTimeout = 180_000
/** In megabytes; the memory limit of the installed Deployment is 537. */
const mostMemory = 250

const filler = 'x'.repeat(bytesOfEach)
const fillerOfSecret = Buffer.from(filler).toString('base64')

/** Stands for the name in the text of a body: printing a megabyte for each object would take long. */
const placeholder = 'name-of-this-object'

/** Creates so many objects from one body, a few at a time. */
const flood = async (collection: string, name: string, body: object): Promise<void> => {
  const [before = '', after = ''] = JSON.stringify(body).split(placeholder)
  let next = 0
  const work = async () => {
    while (next < floodOf) {
      const number = next
      next += 1
      await cluster.tenant.create(collection, `${before}${name}-${number}${after}`)
    }
  }
  await Promise.all(Array.from({ length: sentAtOnce }, work))
}

const drain = async (collection: string, labelSelector: string): Promise<void> => {
  const { status, text } = await cluster.admin.send('DELETE', collection, undefined, { query: { labelSelector } })
  if (status >= 300) throw new Error(`cannot delete ${collection}: ${status} ${text.slice(0, 300)}`)
}

const labelsOfFlood = { 'app.kubernetes.io/managed-by': 'ledger-operator', flood: 'small' }

test('ATK-11 a standby queues nothing', async () => {
  await using attack = await Attack.begin(cluster)
  const standby = await attack.standby()
  attack.after(() => drain(configMaps(attacker), 'flood=small'))
  await flood(configMaps(attacker), 'ledger-queued', aConfigMap(placeholder, {}, labelsOfFlood))
  for (let number = 0; number < floodOf; number += 1)
    await cluster.tenant.patch(configMaps(attacker, `ledger-queued-${number}`), { data: { changed: 'yes' } })
  const depths = await standby.metric('holdfast_queue_depth')
  const waits = await standby.metric('holdfast_queue_oldest_seconds')
  expect(await standby.metric('holdfast_leading')).toEqual([0])
  expect(depths.filter((depth) => depth !== 0)).toEqual([])
  expect(waits.filter((wait) => wait !== 0)).toEqual([])
  await attack.expectBystandersUnharmed()
})

/** Fails as soon as the process has taken more than it may. */
const expectBounded = (operator: OperatorProcess): void => {
  operator.mustBeAlive()
  expect(operator.peakMemory).toBeLessThan(mostMemory)
}

test('ATK-4 ConfigMaps with a service’s label do not fill the memory of an operator', {
  timeout: floodTimeout,
}, async () => {
  await using attack = await Attack.begin(cluster)
  expectBounded(attack.operator)
  await flood(configMaps(attacker), 'flood', aConfigMap(placeholder, { filler }))
  expectBounded(attack.operator)
  await attack.expectBystandersUnharmed()
  expectBounded(attack.operator)
})

// The ConfigMaps of the attack before are still there.
test('ATK-5 an operator starts beside Secrets and ConfigMaps that fill the cluster, in bounded memory', {
  timeout: floodTimeout,
}, async () => {
  await cluster.stopOperator()
  await flood(secrets(attacker), 'flood', aPlantedSecret(own.agent, placeholder, { data: { filler: fillerOfSecret } }))
  const starting = await cluster.startOperator()
  await eventually(
    () => `the operator is ready; it wrote:\n${starting.lastLines}`,
    () => {
      expectBounded(starting)
      return starting.isReady
    },
    floodTimeout / 2,
  )
  await starting.stop()
  await using attack = await Attack.begin(cluster)
  await attack.expectBystandersUnharmed()
  expectBounded(attack.operator)
})
