import { describe, expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { seconds } from '../../src/pure/duration.ts'
import { ConfigMap, Secret } from '../../src/pure/kind.ts'
import { agentNames, claimAnnotation, revokedAnnotation, serviceNames } from '../../src/pure/names.ts'
import { aKey } from '../fixtures/agent.ts'
import { aLedger, type Ledger } from '../kit/ledger.ts'
import type { Interception } from '../kit/gate.ts'

/** A further agent that matches, with a key of its own. */
const addAgent = async ({ suite }: Ledger, name: string, seed: number): Promise<void> => {
  const labels = { [agentNames.label]: name }
  const annotations = { [claimAnnotation]: 'elsewhere' }
  const key = { namespace: suite.operatorNamespace, name: agentNames.canonical(name) }
  await suite.user.create(Secret, { metadata: { ...key, labels }, data: aKey(seed), type: 'Opaque' })
  await suite.user.create(LedgerClusterAgent, {
    metadata: { name, annotations, labels: suite.labels },
    spec: { selector: { matchLabels: suite.labels }, scopes: ['ledger:read'] },
  })
}

const removeAgent = ({ suite }: Ledger, name: string) => suite.user.delete(LedgerClusterAgent, { name })

const file = (suite: Ledger['suite']) => `agent-${suite.agentName}-pubkey.hex`

/** Somebody writes a key of his own into the list, and this into the file that names them all. */
const plant = ({ suite, at }: Ledger, json: string): Promise<void> => {
  const publicKey = Buffer.from(aKey(9)['pubkey.hex'] ?? '', 'base64').toString()
  const data = { [`agent-${suite.agentName}-planted-pubkey.hex`]: publicKey, 'auth-keys.json': json }
  return suite.user.patch(ConfigMap, at('ledger-books-auth-keys'), { data })
}

describe('what is listed', () => {
  test('LSV-17 the list holds the public keys of the agents that match, and no seed', async () => {
    await using ledger = await aLedger()
    const { suite } = ledger
    const canonical = (await suite.canonical())?.data ?? {}
    const plain = (field: string) => Buffer.from(canonical[field] ?? '', 'base64').toString()
    const { data = {} } = (await ledger.list())!
    expect(Object.keys(data).sort()).toEqual([file(suite), 'auth-keys.json'])
    expect(data[file(suite)]).toBe(plain('pubkey.hex'))
    expect(JSON.parse(data['auth-keys.json'] ?? '')).toEqual({
      keys: [{ keyId: plain('key-id'), publicKeyFile: `/auth-keys/${file(suite)}`, scopes: null }],
    })
    expect(JSON.stringify(data)).not.toContain(plain('seed.hex'))
    expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ status: 'True', reason: 'Published' })
  })
})

describe('what is not ours to list', () => {
  test('LSV-18 what somebody else writes into the list is taken out again, and pods are made anew', async () => {
    await using ledger = await aLedger()
    const before = await ledger.list()
    await plant(ledger, JSON.stringify({ keys: [] }))
    await ledger.suite.settle()
    const after = await ledger.list()
    expect(after?.data).toEqual(before?.data)
    expect(await ledger.stamp()).toMatchObject({ revision: 1 })
  })

  test('LSV-18 also when it was written under the operator’s own name', async () => {
    await using ledger = await aLedger()
    const before = await ledger.list()
    const twice = JSON.parse(before?.data?.['auth-keys.json'] ?? '') as { readonly keys: readonly object[] }
    const data = { 'auth-keys.json': JSON.stringify({ ...twice, Keys: twice.keys }) }
    const impostor = ledger.suite.user.as(serviceNames.manager)
    await impostor.patch(ConfigMap, ledger.at('ledger-books-auth-keys'), { data })
    await ledger.suite.settle()
    expect((await ledger.list())?.data).toEqual(before?.data)
    expect(await ledger.stamp()).toMatchObject({ revision: 1 })
  })

  test('LSV-18 pods are made anew once, and not before the list is as it shall be', async () => {
    await using ledger = await aLedger({ withAgent: false })
    await ledger.suite.createAgent([])
    await ledger.suite.settle()
    ledger.writes.length = 0
    await plant(ledger, '{')
    await ledger.suite.settle()
    expect(ledger.writes.filter((write) => /configmaps|statefulsets/.test(write))).toEqual([
      'mark configmaps a-*/ledger-books-auth-keys',
      'apply configmaps a-*/ledger-books-auth-keys',
      'apply statefulsets a-*/ledger-books',
    ])
  })

  test.for([
    { who: 'somebody else has written', manager: 'somebody' },
    { who: 'nobody is known to have written', manager: undefined },
  ])('LSV-18 a file more is taken out also of a list that $who', async ({ manager }) => {
    await using ledger = await aLedger()
    const before = await ledger.list()
    const entries = before?.metadata.managedFields?.map((entry) => ({ ...entry, manager }))
    // The server drops all entries for an empty one.
    const metadata = { managedFields: manager === undefined ? [{}] : entries }
    await ledger.suite.user.patch(ConfigMap, ledger.at('ledger-books-auth-keys'), { metadata, data: { more: 'x' } })
    await ledger.suite.settle()
    expect((await ledger.list())?.data).toEqual(before?.data)
  })

  test('LSV-18 a copy of a key counts for nothing', async () => {
    await using ledger = await aLedger()
    const { suite } = ledger
    const before = await ledger.list()
    await suite.user.patch(Secret, suite.replicaKey('a'), { data: aKey(9) })
    await suite.settle()
    expect((await ledger.list())?.data).toEqual(before?.data)
  })
})

describe('what leaves the list', () => {
  test('LSV-19 an agent that is deleted leaves the list, and can go', async () => {
    await using ledger = await aLedger()
    const { suite } = ledger
    await suite.deleteAgent()
    await suite.settle()
    expect(await ledger.listed()).toEqual([undefined])
    expect(await suite.agent()).toBeUndefined()
    expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ reason: 'NobodyCanSignIn' })
  })

  test('LSV-19 so does one that matches no longer', async () => {
    await using ledger = await aLedger()
    const labels = Object.fromEntries(Object.keys(ledger.suite.labels).map((label) => [label, null]))
    await ledger.suite.user.patch(LedgerService, ledger.key(), { metadata: { labels } })
    await ledger.suite.settle()
    expect(await ledger.listed()).toEqual([undefined])
  })

  test('LSV-19 when it cannot be read live, the list stays as it is until it can', async () => {
    let isDown = false
    const refused: Interception = () =>
      Promise.resolve({ status: 503, retryAfter: undefined, body: '{"kind":"Status","reason":"ServiceUnavailable"}' })
    await using ledger = await aLedger({
      gate: {
        onCall: (_, { verb, plural }) =>
          isDown && verb === 'get' && plural === 'ledgerclusteragents' ? refused : undefined,
      },
    })
    const before = await ledger.list()
    isDown = true
    const labels = Object.fromEntries(Object.keys(ledger.suite.labels).map((label) => [label, null]))
    await ledger.suite.user.patch(LedgerService, ledger.key(), { metadata: { labels } })
    await ledger.suite.idle()
    expect(await ledger.list()).toEqual(before)
    expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ reason: 'KeyListLeft' })
    isDown = false
    ledger.suite.clock.turn(seconds(10))
    await ledger.suite.settle()
    expect(await ledger.listed()).toEqual([undefined])
  })
})

test('LSV-20 an agent whose key is gone keeps what is listed of it, and holds up no other', async () => {
  await using ledger = await aLedger()
  const { suite } = ledger
  await suite.restart(async () => {
    await suite.deleteCanonical()
    await suite.user.delete(Secret, suite.replicaKey('a'))
    await addAgent(ledger, suite.named('clerk'), 7)
  })
  expect(await ledger.listed()).toEqual([suite.agentName, suite.named('clerk')])
  expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ status: 'False', reason: 'KeysPending' })
  expect((await ledger.condition('AuthKeysPublished'))?.message).toContain(suite.agentName)
  await removeAgent(ledger, suite.named('clerk'))
})

test('LSV-21 a list that makes no sense is made again', async () => {
  await using ledger = await aLedger()
  const before = await ledger.list()
  await ledger.suite.user.patch(ConfigMap, ledger.at('ledger-books-auth-keys'), { data: { 'auth-keys.json': '{' } })
  await ledger.suite.settle()
  expect((await ledger.list())?.data).toEqual(before?.data)
})

test('LSV-22 a ledger without an agent or issuer gets the key that nobody has', async () => {
  await using ledger = await aLedger({ withAgent: false })
  expect(Object.keys((await ledger.list())?.data ?? {}).sort()).toEqual(['auth-keys.json', 'nobody-pubkey.hex'])
  expect(await ledger.workload()).toBeDefined()
  expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ status: 'False', reason: 'NobodyCanSignIn' })
  expect((await ledger.service())?.status?.authKeys).toBeUndefined()
})

describe('tokens that nobody asks for', () => {
  test('LSV-23 a service that asks for no tokens gets no keys, and says AuthOff', async () => {
    await using ledger = await aLedger({ spec: {} })
    expect(await ledger.list()).toBeUndefined()
    expect(await ledger.stamp()).toBeUndefined()
    expect(await ledger.condition('AuthKeysPublished')).toMatchObject({ status: 'False', reason: 'AuthOff' })
    expect((await ledger.condition('AuthKeysPublished'))?.message).toContain(ledger.suite.agentName)
  })

  test('LSV-23 keys are wired together with what asks for tokens, and never after it', async () => {
    await using ledger = await aLedger({ spec: {} })
    const before = await ledger.workload()
    await ledger.change({ auth: { enabled: true } })
    await ledger.suite.idle()
    expect((await ledger.workload())?.metadata.generation).toBe(before?.metadata.generation)
    await ledger.suite.settle()
    expect(JSON.stringify(await ledger.workload())).toContain('AUTH_ED25519_KEYS')
    expect((await ledger.workload())?.metadata.generation).toBe((before?.metadata.generation ?? 0) + 1)
    await ledger.change({ auth: { enabled: false } })
    await ledger.suite.settle()
    expect(JSON.stringify(await ledger.workload())).not.toContain('auth-keys')
  })
})

describe('changes that wait', () => {
  test('LSV-24 changes to several agents within five seconds cost one rolling restart', async () => {
    await using ledger = await aLedger()
    const { suite } = ledger
    const before = await ledger.workload()
    for (const [n, name] of ['clerk', 'auditor', 'teller'].entries()) {
      await addAgent(ledger, suite.named(name), 20 + n)
      await suite.idle()
      expect((await ledger.listed()).length).toBe(1)
      suite.clock.turn(seconds(3))
      await suite.idle()
    }
    await suite.settle()
    expect((await ledger.listed()).length).toBe(4)
    expect((await ledger.workload())?.metadata.generation).toBe((before?.metadata.generation ?? 0) + 1)
    for (const name of ['clerk', 'auditor', 'teller']) await removeAgent(ledger, suite.named(name))
  })

  test('LSV-24 what takes a key away does not wait', async () => {
    await using ledger = await aLedger()
    const { suite } = ledger
    const { keyID = '' } = (await suite.agent())?.status ?? {}
    const annotations = { [revokedAnnotation]: '2026-01-01T00:00:00Z' }
    expect(JSON.stringify((await ledger.list())?.data)).toContain(keyID)
    await suite.user.patch(Secret, suite.canonicalKey(), { metadata: { annotations } })
    await suite.idle()
    // What is listed now is nobody's key, or the agent's next one where that was quicker.
    expect(JSON.stringify((await ledger.list())?.data)).not.toContain(keyID)
  })
})
