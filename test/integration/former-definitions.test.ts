import { afterAll, beforeAll, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { CustomResourceDefinition } from '../../src/pure/kind.ts'
import type { KubeObject } from '../../src/pure/object.ts'
import { FormerCluster } from '../kit/former-cluster.ts'

interface Definition extends KubeObject {
  readonly spec: {
    readonly versions: readonly {
      readonly schema: { openAPIV3Schema: { properties: { status: { properties: Record<string, object> } } } }
    }[]
  }
}

const added = ['keyMade', 'generations', 'targets']

let cluster: FormerCluster

beforeAll(async () => {
  cluster = await FormerCluster.start()
})

afterAll(() => cluster[Symbol.asyncDispose]())

/** Takes out of the agents' definition what the former operator's did not have, and waits until that is in force. */
const installFormerDefinition = async (): Promise<void> => {
  const key = { name: 'ledgerclusteragents.ledger.formance.com' }
  const { spec } = (await cluster.client.get<Definition>(CustomResourceDefinition, key))!
  const versions = structuredClone(spec.versions)
  for (const field of added) delete versions[0]?.schema.openAPIV3Schema.properties.status.properties[field]
  await cluster.user.patch(CustomResourceDefinition, key, { spec: { versions } })
  const probe = { name: 'probe' }
  await cluster.user.create(LedgerClusterAgent, { metadata: probe, spec: { selector: {} } })
  await eventually('the API server drops what it does not know', async () => {
    const keyMade = new Date().toISOString()
    await cluster.user.patchStatus(LedgerClusterAgent, probe, { status: { phase: 'Pending', keyMade } })
    const status = (await cluster.client.get<LedgerClusterAgent>(LedgerClusterAgent, probe))?.status
    return status !== undefined && !('keyMade' in status)
  })
  await cluster.user.delete(LedgerClusterAgent, probe)
}

test('with the former operator’s definitions the status is written without the fields that they lack, and the log says so once', async () => {
  await installFormerDefinition()
  await cluster.load()
  const messages = await cluster.runUntil('ledger-system', saysOurs)

  for (const { status } of await cluster.all<LedgerClusterAgent>(LedgerClusterAgent)) {
    expect(added.filter((field) => field in (status ?? {}))).toEqual([])
    expect(status).toMatchObject({ phase: 'Ready' })
  }
  expect(messages.filter((line) => line.includes('CustomResourceDefinition')).sort()).toEqual(
    added
      .toSorted()
      .map(
        (field) =>
          `CustomResourceDefinition ledgerclusteragents.ledger.formance.com does not know status.${field}: it is left out of every status; apply the definitions of this version, see holdfast install`,
      ),
  )
})

const saysOurs = ({ status }: LedgerClusterAgent): boolean =>
  status?.conditions?.some(({ type, message }) => type === 'Ready' && message.startsWith('the key is in')) === true
