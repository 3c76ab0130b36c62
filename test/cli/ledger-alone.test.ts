import { afterAll, beforeAll, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { type ControlPlane, startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { installCrds } from '../../src/dev/install-crds.ts'
import type { Client } from '../../src/kube/client.ts'
import { Namespace, Secret } from '../../src/pure/kind.ts'
import { agentNames } from '../../src/pure/names.ts'
import { aKey, keyIdOf } from '../fixtures/agent.ts'
import { connectAsAdmin } from '../kit/shared-control-plane.ts'
import { User } from '../kit/user.ts'
import { runLedger as run } from './ledger-run.ts'

// In the shared cluster others have agents, and operators that would take up what nobody has claimed.
let controlPlane: ControlPlane
let client: Client
let user: User
let close: () => Promise<void>

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: false, say: () => undefined })
  const connection = connectAsAdmin(controlPlane.kubeconfig)
  client = connection.client
  user = new User(connection.port)
  close = () => connection.port.close()
})

afterAll(async () => {
  await close()
  await controlPlane.stop()
})

const runLedger = (...args: readonly string[]) => run(args, { kubeconfig: controlPlane.kubeconfig })
const agentNow = (name: string) => client.get<LedgerClusterAgent>(LedgerClusterAgent, { name })
const printName = (name: string): string => `ledgerclusteragent.ledger.formance.com/${name}`

test('KL-19 a cluster without the kind says how to install it', async () => {
  const answer = {
    code: 7,
    stdout: '',
    stderr:
      'kubectl-ledger: the cluster does not know LedgerClusterAgents: install it with: holdfast install | kubectl apply --server-side -f -\n',
  }

  expect(await runLedger('agents', 'list')).toEqual(answer)
  expect(await runLedger('agents', 'list', '-w')).toEqual(answer)
  expect(await runLedger('agents', 'get-key', 'x')).toEqual(answer)
  expect(await runLedger('agents', 'create', 'x', '-y', '--set', 'selector.matchLabels.a=b')).toEqual(answer)
  await installCrds(client)
})

test('KL-1 a cluster without agents says so, and to programs by an empty list', async () => {
  expect(await runLedger('agents', 'list')).toEqual({ code: 0, stdout: '', stderr: 'there are no agents\n' })
  expect(JSON.parse((await runLedger('agents', 'list', '-o', 'json')).stdout)).toEqual({
    apiVersion: 'v1',
    kind: 'List',
    items: [],
  })
  const { code, stderr } = await runLedger('agents', 'get')
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: 'kubectl-ledger: there are no agents: make one with: kubectl ledger agents create NAME\n',
  })
})

const settings = ['scopes=ledger:read,ledger:write', 'god=true', 'selector.matchLabels.example\\.com/env=production']
const flags = settings.flatMap((setting) => ['--set', setting])

test('KL-7 a dry run prints clean YAML alone, and makes nothing', async () => {
  const { code, stdout, stderr } = await runLedger('agents', 'create', 'biller', '--dry-run', ...flags)

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(`apiVersion: ledger.formance.com/v1alpha1
kind: LedgerClusterAgent
metadata:
  name: biller
spec:
  selector:
    matchLabels:
      example.com/env: production
  scopes:
    - ledger:read
    - ledger:write
  god: true
`)
  expect(await agentNow('biller')).toBeUndefined()
})

test('KL-6 create makes what --set says, each value typed as its field is', async () => {
  const created = await runLedger('agents', 'create', 'biller', '--yes', ...flags)

  expect(created).toEqual({ code: 0, stdout: `${printName('biller')} created\n`, stderr: '' })
  expect((await agentNow('biller'))?.spec).toEqual({
    scopes: ['ledger:read', 'ledger:write'],
    god: true,
    selector: { matchLabels: { 'example.com/env': 'production' } },
  })
})

test('KL-6 an agent that is there already is left as it is', async () => {
  const { code, stderr } = await runLedger('agents', 'create', 'biller', '-y', ...flags)

  expect(code).toBe(9)
  expect(stderr).toBe(
    'kubectl-ledger: cannot create LedgerClusterAgent biller: the API server answered 409 AlreadyExists: look at what is there with: kubectl ledger agents get biller\n',
  )
})

test('KL-4 the only agent is the one that is meant', async () => {
  expect((await runLedger('agents', 'get', '-o', 'name')).stdout).toBe(`${printName('biller')}\n`)
  expect((await runLedger('agents', 'get-key')).stderr).toContain('agent "biller" has no key yet')
})

test('KL-8 an agent whose selector is empty matches every service, and create says so', async () => {
  const { code, stdout, stderr } = await runLedger('agents', 'create', 'wide', '--yes', '-o', 'name')

  expect({ code, stdout }).toEqual({ code: 0, stdout: `${printName('wide')}\n` })
  expect(stderr).toMatch(/^warning: the selector is empty, so this agent matches every service in the cluster/)
  expect((await agentNow('wide'))?.spec).toEqual({ selector: {} })
})

test('KL-13 the key of an agent of the former operator, which nobody has claimed, comes from a copy', async () => {
  const ref = { namespace: 'tenant', name: agentNames.replica('wide') }
  await user.create(Namespace, { metadata: { name: 'tenant' } })
  await user.create(Secret, { metadata: { ...ref, labels: { [agentNames.label]: 'wide' } }, data: aKey() })
  const status = { keyID: keyIdOf(aKey()), distributedSecretRefs: [ref] }
  await user.patchStatus(LedgerClusterAgent, { name: 'wide' }, { status })

  const { code, stdout } = await runLedger('agents', 'get-key', 'wide', '--seed-only')

  expect({ code, stdout }).toEqual({ code: 0, stdout: Buffer.from(aKey()['seed.hex']!, 'base64').toString() })
})

test('KL-10 delete says when a finalizer keeps the agent for now', async () => {
  await user.patch(LedgerClusterAgent, { name: 'wide' }, { metadata: { finalizers: [agentNames.finalizer] } })

  const { code, stdout, stderr } = await runLedger('agents', 'del', 'wide', '-y')

  expect({ code, stdout }).toEqual({ code: 0, stdout: `${printName('wide')} is being deleted\n` })
  expect(stderr).toBe('it is gone when its operator has taken its Secrets away\n')
  expect((await agentNow('wide'))?.metadata.deletionTimestamp).toBeDefined()
})

test('KL-10 delete --yes asks nobody', async () => {
  expect(await runLedger('agents', 'delete', 'biller', '--yes')).toEqual({
    code: 0,
    stdout: `${printName('biller')} deleted\n`,
    stderr: '',
  })
  expect(await agentNow('biller')).toBeUndefined()
})
