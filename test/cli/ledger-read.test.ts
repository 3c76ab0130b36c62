import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { followLedger, runLedger } from './ledger-run.ts'
import { ledgerWorld } from './ledger-world.ts'

const scopes = ['ledger:read', 'ledger:write']
const keyID = '53559f2fa4d9f191'
const since = '2020-01-01T00:00:00Z'
const retiresAt = '2030-01-01T00:00:00Z'

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'KeyPairReady',
  message: 'all have it',
  lastTransitionTime: since,
}
const missing = { ...ready, status: 'False', reason: 'NamespaceMissing', message: 'no namespace team-x' } as const

type Status = NonNullable<LedgerClusterAgent['status']>
const statusWith = (condition: typeof ready | typeof missing, more: Status = {}): Status => ({
  phase: condition.status === 'True' ? 'Ready' : 'Error',
  keyID,
  conditions: [condition as NonNullable<Status['conditions']>[number]],
  ...more,
})

const twoDaysAgo = () => new Date(Date.now() - 2 * 24 * 3_600_000).toISOString()

const linesOf = (text: string, containing: string): readonly string[] =>
  text.split('\n').filter((line) => line.includes(containing))

test('KL-1, KL-27 list shows every agent by name, the age of its key, and why one is not ready', async () => {
  await using world = await ledgerWorld()
  const { home, agent, refTo, createAgent } = world
  const other = `another-${home.id}`
  const fresh = `fresh-${home.id}`
  const matchedServices = [refTo('first'), refTo('second')]
  await createAgent({ scopes }, statusWith(ready, { matchedServices, keyMade: twoDaysAgo() }))
  await createAgent({}, statusWith(missing), other)
  await createAgent({}, undefined, fresh)

  const { code, stdout, stderr } = await runLedger(['agents', 'list'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n')[0]).toMatch(/^NAME +KEY ID +KEY AGE +SCOPES +MATCHED SERVICES +PHASE +AGE +REASON$/)
  const rows = linesOf(stdout, home.id).map((line) => line.replace(/\d+s/, 'AGE').split(/ {2,}/))
  expect(rows).toEqual([
    [agent, keyID, '2d', 'ledger:read,ledger:write', '2', 'Ready', 'AGE'],
    [other, keyID, '-', '-', '0', 'Error', 'AGE', 'NamespaceMissing'],
    [fresh, '-', '-', '-', '0', '-', 'AGE'],
  ])
})

test.each(['json', 'yaml'])('KL-1 list -o %s is a List of the objects, without managed fields', async (format) => {
  await using world = await ledgerWorld()
  await world.createAgent({ scopes }, statusWith(ready))

  const { code, stdout } = await runLedger(['-o', format, 'ag', 'ls'])

  expect(code).toBe(0)
  const list = (format === 'json' ? JSON.parse(stdout) : parse(stdout)) as {
    readonly kind: string
    readonly items: readonly LedgerClusterAgent[]
  }
  const live = await world.client.get(LedgerClusterAgent, { name: world.agent })
  const { managedFields, ...metadata } = live!.metadata
  expect(list).toMatchObject({ apiVersion: 'v1', kind: 'List' })
  expect(managedFields).toBeDefined()
  expect(list.items.filter((item) => item.metadata.name === world.agent)).toEqual([{ ...live, metadata }])
})

test('KL-1 list -o name names each agent as kubectl does', async () => {
  await using world = await ledgerWorld()
  await world.createAgent()

  const { stdout } = await runLedger(['agents', 'list', '-o', 'name'])

  expect(linesOf(stdout, world.home.id)).toEqual([`ledgerclusteragent.ledger.formance.com/${world.agent}`])
})

test('KL-2, KL-27 get shows an agent and its keys in plain tables', async () => {
  await using world = await ledgerWorld()
  const { home, agent, refTo } = world
  await world.createAgent(
    { scopes, god: true, selector: { matchLabels: { env: 'x' } }, additionalNamespaces: ['team-x'] },
    statusWith(missing, {
      matchedServices: [refTo('first')],
      distributedSecretRefs: [refTo('first'), refTo('second')],
      generations: [
        { generation: 1, keyID: '52dbbf581fe79423', state: 'Retiring', since: twoDaysAgo(), retiresAt },
        { generation: 2, keyID, state: 'Current', since: twoDaysAgo() },
      ],
    }),
  )

  const { code, stdout } = await runLedger(['agent', 'get', agent])

  expect(code).toBe(0)
  const sections = stdout.split('\n\n').map((section) => section.trim().split('\n'))
  const titles = ['Overview', 'Keys', 'Matched Services', 'Secrets', 'Conditions']
  expect(sections.map(([title]) => title)).toEqual(titles)
  const [overview, keys, services, secrets, conditions] = sections.map(([, ...rows]) =>
    rows.map((row) => row.split(/ {2,}/)),
  )
  expect(overview?.slice(0, -1)).toEqual([
    ['Name', agent],
    ['Phase', 'Error'],
    ['Key ID', keyID],
    ['Scopes', 'ledger:read,ledger:write'],
    ['God', 'yes'],
    ['Selector', 'env=x'],
    ['Additional namespaces', 'team-x'],
    ['Operator', home.named('operator')],
  ])
  const refs = [refTo('first'), refTo('second')].map(({ namespace, name }) => [namespace, name])
  expect(keys).toEqual([
    ['GENERATION', 'KEY ID', 'STATE', 'SINCE', 'RETIRES AT'],
    ['1', '52dbbf581fe79423', 'Retiring', '2d', retiresAt],
    ['2', keyID, 'Current', '2d', '-'],
  ])
  expect(services).toEqual([['NAMESPACE', 'NAME'], refs[0]])
  expect(secrets).toEqual([['NAMESPACE', 'NAME'], ...refs])
  expect(conditions?.[1]).toEqual([
    'Ready',
    'False',
    'NamespaceMissing',
    expect.stringMatching(/^\d+d$/),
    missing.message,
  ])
})

test('KL-2 get prints JSON, YAML or a name when asked', async () => {
  await using world = await ledgerWorld()
  const { agent } = world
  await world.createAgent({ scopes })
  const { metadata, ...live } = (await world.client.get(LedgerClusterAgent, { name: agent }))!
  const { managedFields: _, ...quiet } = metadata

  const json = await runLedger(['agents', 'get', agent, '-o', 'json'])
  const yaml = await runLedger(['agents', 'get', agent, '-o', 'yaml'])
  const name = await runLedger(['agents', 'get', agent, '-o', 'name'])

  expect(JSON.parse(json.stdout)).toEqual({ ...live, metadata: quiet })
  expect(parse(yaml.stdout)).toEqual({ ...live, metadata: quiet })
  expect(name.stdout).toBe(`ledgerclusteragent.ledger.formance.com/${agent}\n`)
})

test('KL-3 get --watch shows every change in a row, the end too, until it is interrupted', async () => {
  await using world = await ledgerWorld()
  const { agent, home } = world
  await world.createAgent({ scopes })

  using following = followLedger(['agents', 'get', agent, '-w'])
  await following.untilLines(2)
  await home.user.patchStatus(LedgerClusterAgent, { name: agent }, { status: statusWith(ready) })
  await following.untilLines(3)
  await home.user.delete(LedgerClusterAgent, { name: agent })
  await following.untilLines(4)

  expect(await following.interrupt()).toEqual({ code: 0, signal: null, stderr: '' })
  const phases = following.lines.map((line) => line.split(/ {2,}/)[5])
  expect(phases).toEqual(['PHASE', '-', 'Ready', 'Deleted'])
})

test('KL-3 list --watch -o json prints one document on a line for every change', async () => {
  await using world = await ledgerWorld()
  const { agent, home } = world
  const mine = (lines: readonly string[]) =>
    lines
      .map((line) => JSON.parse(line) as { type: string; object: LedgerClusterAgent })
      .filter(({ object }) => object.metadata.name === agent)

  using following = followLedger(['agents', 'list', '--watch', '--output', 'json'])
  await world.createAgent()
  await following.until(() => mine(following.lines).length === 1)
  await home.user.patch(LedgerClusterAgent, { name: agent }, { spec: { god: true } })
  await following.until(() => mine(following.lines).length === 2)
  await home.user.delete(LedgerClusterAgent, { name: agent })
  await following.until(() => mine(following.lines).length === 3)
  await following.interrupt()

  const changes = mine(following.lines)
  expect(changes.map(({ type, object }) => [type, object.spec?.god])).toEqual([
    ['ADDED', undefined],
    ['MODIFIED', true],
    ['DELETED', true],
  ])
  expect(changes.map(({ object }) => object.metadata.managedFields)).toEqual([undefined, undefined, undefined])
})

test('KL-3 --watch ends quietly when nobody reads any more', async () => {
  await using world = await ledgerWorld()
  const { agent, home } = world
  await world.createAgent()

  using following = followLedger(['agents', 'get', agent, '--watch'])
  await following.untilLines(2)
  following.stopReading()
  await home.user.patch(LedgerClusterAgent, { name: agent }, { spec: { god: true } })

  expect(await following.end()).toEqual({ code: 1, signal: null, stderr: '' })
})
