import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { aKey } from '../fixtures/agent.ts'
import { onTerminal, runLedger } from './ledger-run.ts'
import { ledgerWorld } from './ledger-world.ts'

const seed = Buffer.from(aKey(1)['seed.hex']!, 'base64').toString()

test.each([[['--seed-only']], [['--bundle', '-']]])('KL-18 a terminal shows no seed: %j', async (flags) => {
  await using world = await ledgerWorld()
  await world.createAgent()
  await world.createGeneration(1)

  using plain = onTerminal(['agents', 'get-key', world.agent, ...flags])
  const refused = await plain.end()
  using asked = onTerminal(['agents', 'get-key', world.agent, ...flags, '--show-secret'])
  const shown = await asked.end()

  expect(refused.code).toBe(2)
  expect(refused.shown).toContain('a private key would be shown on this terminal')
  expect(refused.shown).not.toContain(seed)
  expect(shown.code).toBe(0)
  expect(shown.shown).toContain(seed)
})

test('KL-20 a phase has a colour on a terminal, and none when NO_COLOR is set or it goes elsewhere', async () => {
  await using world = await ledgerWorld()
  await world.createAgent({}, { phase: 'Ready' })
  const rowOn = async (env: Readonly<Record<string, string>>) => {
    using terminal = onTerminal(['agents', 'list'], env)
    return (await terminal.end()).shown.split('\n').find((line) => line.includes(world.agent))
  }

  expect(await rowOn({})).toContain('\u001b[32mReady\u001b[39m')
  expect(await rowOn({ NO_COLOR: '1' })).not.toContain('\u001b[')
  const piped = await runLedger(['agents', 'list'], { env: { FORCE_COLOR: '1' } })
  expect(piped.stdout).toContain(world.agent)
  expect(piped.stdout).not.toContain('\u001b[')
})

test('KL-4 a terminal is asked which of several agents is meant, and takes its number or its name', async () => {
  await using world = await ledgerWorld()
  await world.createAgent()
  await world.createAgent({}, undefined, `another-${world.home.id}`)

  using terminal = onTerminal(['agents', 'get', '-o', 'name'])
  await terminal.until('Which agent?')
  terminal.type('no such agent\n')
  await terminal.until('Which agent?', 2)
  terminal.type(`${world.agent}\n`)
  const { code, shown } = await terminal.end()

  expect(code).toBe(0)
  expect(shown).toMatch(new RegExp(`^ +\\d+ {2}${world.agent}$`, 'm'))
  expect(shown.trimEnd().split('\n').at(-1)).toBe(`ledgerclusteragent.ledger.formance.com/${world.agent}`)
})

test('KL-9 delete says what goes, and leaves the agent alone unless the answer is yes', async () => {
  await using world = await ledgerWorld()
  const { agent, client } = world
  await world.createAgent({}, { keyID: '53559f2fa4d9f191' })

  using no = onTerminal(['agents', 'delete', agent])
  await no.until('[y/N]')
  no.type('\n')
  const refused = await no.end()
  const after = await client.get(LedgerClusterAgent, { name: agent })
  using yes = onTerminal(['agents', 'rm', agent])
  await yes.until('[y/N]')
  yes.type('y\n')
  const agreed = await yes.end()

  expect(refused.code).toBe(1)
  expect(refused.shown).toContain(
    'Its key 53559f2fa4d9f191 goes too, and every bundle that was handed out stops working.',
  )
  expect(refused.shown).toContain('nothing was done')
  expect(after).toBeDefined()
  expect(agreed.code).toBe(0)
  expect(agreed.shown).toContain(`ledgerclusteragent.ledger.formance.com/${agent} deleted`)
  expect(await client.get(LedgerClusterAgent, { name: agent })).toBeUndefined()
})

test('KL-10 delete takes the agent that was shown, and no other that has its name by then', async () => {
  await using world = await ledgerWorld()
  const { agent, client, home } = world
  await world.createAgent()

  using terminal = onTerminal(['agents', 'delete', agent])
  await terminal.until('[y/N]')
  await home.user.delete(LedgerClusterAgent, { name: agent })
  await world.createAgent()
  terminal.type('yes\n')
  const { code, shown } = await terminal.end()

  expect(code).toBe(9)
  expect(shown).toContain(`agent "${agent}" is not the one any more that was shown`)
  expect(await client.get(LedgerClusterAgent, { name: agent })).toBeDefined()
})

test('KL-9 create shows what it would make, asks, and makes nothing without an answer', async () => {
  await using world = await ledgerWorld()

  using terminal = onTerminal(['agents', 'create', world.agent, '--set', 'scopes=ledger:read'])
  await terminal.until('[y/N]')
  terminal.type('\u0004')
  const { code, shown } = await terminal.end()

  expect(code).toBe(1)
  expect(shown).toContain('warning: the selector is empty, so this agent matches every service in the cluster')
  expect(shown).toContain(
    `  name: ${world.agent}\nspec:\n  selector: {}\n  scopes:\n    - ledger:read\nCreate it? [y/N]`,
  )
  expect(await world.client.get(LedgerClusterAgent, { name: world.agent })).toBeUndefined()
})
