import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { describe, expect, inject, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { aKubeconfig } from '../fixtures/kubeconfig.ts'
import { directory, runLedger } from './ledger-run.ts'
import { ledgerWorld } from './ledger-world.ts'

const oneSentence = /^kubectl-ledger: [^\n]+\n$/

describe('what cannot be done is told in one sentence, and each reason has its exit code', () => {
  test('KL-19 an agent that is not there', async () => {
    const commands = [
      ['get', 'no-such-agent'],
      ['get-key', 'no-such-agent'],
      ['delete', 'no-such-agent', '--yes'],
      ['rotate', 'no-such-agent', '--yes'],
      ['revoke', 'no-such-agent', '0123456789abcdef', '--yes'],
    ]
    for (const words of commands) {
      expect(await runLedger(['agents', ...words])).toEqual({
        code: 4,
        stdout: '',
        stderr:
          'kubectl-ledger: there is no agent "no-such-agent": see which there are with: kubectl ledger agents list\n',
      })
    }
  })

  test('KL-19 a right that is missing', async () => {
    await using world = await ledgerWorld()
    await world.createAgent({}, { keyID: '53559f2fa4d9f191' })
    const kubeconfig = await world.somebody()

    const resource = 'ledgerclusteragents.ledger.formance.com'
    expect(await runLedger(['agents', 'list'], { kubeconfig })).toEqual({
      code: 5,
      stdout: '',
      stderr: `kubectl-ledger: cannot list LedgerClusterAgents: the API server answered 403 Forbidden: ask for the right to list ${resource}\n`,
    })
    const watching = await runLedger(['agents', 'get', world.agent, '--watch'], { kubeconfig })
    expect(watching.code).toBe(5)
    expect(watching.stderr).toMatch(oneSentence)
    const deleting = await runLedger(['agents', 'delete', world.agent, '-y'], { kubeconfig })
    expect(deleting.code).toBe(5)
    expect(deleting.stderr).toContain(`ask for the right to delete ${resource}`)
    const rotating = await runLedger(['agents', 'rotate', world.agent, '-y'], { kubeconfig })
    expect(rotating.code).toBe(5)
    expect(rotating.stderr).toContain(`ask for the right to patch ${resource}`)
    expect(await world.client.get(LedgerClusterAgent, { name: world.agent })).toBeDefined()
  })

  test('KL-19 somebody whom the cluster does not know', async () => {
    const kubeconfig = join(directory, 'stranger')
    const admins = parse(readFileSync(inject('kubeconfig'), 'utf8')) as { readonly users: readonly { name: string }[] }
    const users = admins.users.map(({ name }) => ({ name, user: { token: 'nobody' } }))
    writeFileSync(kubeconfig, stringify({ ...admins, users }))

    const { code, stderr } = await runLedger(['agents', 'list'], { kubeconfig })

    expect(code).toBe(5)
    expect(stderr).toMatch(/401 Unauthorized: renew your credentials/)
  })

  test('KL-19 a cluster that does not answer', async () => {
    const kubeconfig = join(directory, 'nobody-there')
    writeFileSync(kubeconfig, aKubeconfig({ cluster: { server: 'https://127.0.0.1:1' } }))

    for (const flags of [[], ['--watch']]) {
      const { code, stderr } = await runLedger(['agents', 'list', ...flags], { kubeconfig })
      expect(code).toBe(6)
      expect(stderr).toMatch(oneSentence)
      expect(stderr).toMatch(/is not reachable \(ECONNREFUSED\): check --kubeconfig and --context\n$/)
    }
  })

  test.each([
    [['--kubeconfig', '/there/is/none'], 'there is no kubeconfig: looked for /there/is/none'],
    [['--context', 'elsewhere'], 'it has no context "elsewhere"'],
  ])('KL-19 a cluster that nobody has named: %j', async (flags, why) => {
    const { code, stderr } = await runLedger([...flags, 'agents', 'list'])

    expect(code).toBe(6)
    expect(stderr).toMatch(oneSentence)
    expect(stderr).toContain(why)
  })

  test.each<[args: readonly string[], says: string]>([
    [['agents', 'create'], 'say how the agent shall be called'],
    [['agents', 'create', 'Not_A_Name', '--yes'], '"Not_A_Name" is no name for an agent'],
    [['agents', 'create', 'a'.repeat(64), '--yes'], 'at most 63'],
    [['agents', 'create', 'x', '--yes', '--set', 'scope=a'], 'there is no field "scope"'],
    [['agents', 'create', 'x'], 'there is nobody to ask: say --yes to create it, or --dry-run to see it'],
    [['agents', 'delete', 'x'], 'there is nobody to ask: say --yes to delete it'],
    [['agents', 'delete', '--yes'], 'say which agent shall go'],
    [['agents', 'rotate', 'x'], 'there is nobody to ask: say --yes to rotate its key'],
    [['agents', 'rotate', '--yes'], 'say which agent shall have another key'],
    [['agents', 'rotate', 'x', '-y', '--timeout', '1m'], '--timeout goes with --wait'],
    [['agents', 'rotate', 'x', '-y', '--wait', '--timeout', '1 minute'], 'It is no span of time.'],
    [['agents', 'revoke', 'x', '0123456789abcdef'], 'there is nobody to ask: say --yes to revoke it'],
    [['agents', 'revoke', 'x', '--yes'], "missing required argument 'key-id'"],
  ])('KL-9, KL-19 what was not said: %j', async (args, says) => {
    const { code, stdout, stderr } = await runLedger(args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(says)
  })

  test.each([
    [['agents'], 'Usage: kubectl ledger agents'],
    [['agents', 'lst'], 'Did you mean one of list, ls?'],
    [['agents', 'list', '-o', 'wide'], 'Allowed choices are table, json, yaml, name.'],
    [['agents', 'list', '--nope'], "unknown option '--nope'"],
  ])('KL-19 what cannot be understood: %j', async (args, says) => {
    const { code, stdout, stderr } = await runLedger(args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(says)
  })

  test('KL-4 several agents, and nobody to ask which', async () => {
    await using world = await ledgerWorld()
    await world.createAgent()
    await world.createAgent({}, undefined, `another-${world.home.id}`)

    const { code, stderr } = await runLedger(['agents', 'get'])

    expect(code).toBe(2)
    expect(stderr).toMatch(/^kubectl-ledger: there are \d+ agents: say which one by its name \(.+\)\n$/)
  })
})

test('KL-19 help and version need no cluster', async () => {
  const kubeconfig = '/there/is/none'

  expect((await runLedger(['--help'], { kubeconfig })).stdout).toContain('Usage: kubectl ledger [options] [command]')
  expect((await runLedger(['agents', 'get-key', '--help'], { kubeconfig })).stdout).toContain('--show-secret')
  expect((await runLedger(['--version'], { kubeconfig })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})
