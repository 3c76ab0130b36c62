import { expect, inject, test } from 'vitest'
import { eventually } from '../../src/dev/eventually.ts'
import { runLedger } from './ledger-run.ts'
import { ledgerWorld } from './ledger-world.ts'

const cluster = () => ['--kubeconfig', inject('kubeconfig')]

/** What kubectl would offer after these words, without the cluster that it would take by itself. */
const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { stdout } = await runLedger(words, { name: 'kubectl_complete-ledger', kubeconfig: '/there/is/none' })
  return stdout.split('\n').flatMap((line) => (/^[:]|^$/.test(line) ? [] : line.split('\t').slice(0, 1)))
}

// A busy machine may not answer within the second that completion waits for a cluster.
const eventuallyOffered = (...words: readonly string[]): Promise<readonly string[]> =>
  eventually('an offer', async () => {
    const offers = await offered(...words)
    return offers.length > 0 && offers
  })

test('KL-5 names of agents are completed, by aliases and with the cluster that was named', async () => {
  await using world = await ledgerWorld()
  await world.createAgent()
  const start = world.agent.slice(0, -1)

  expect(await eventuallyOffered(...cluster(), 'agents', 'get', start)).toEqual([world.agent])
  expect(await eventuallyOffered('ag', 'rm', ...cluster(), start)).toEqual([world.agent])
  expect(await eventuallyOffered('agents', 'rotate', '--wait', ...cluster(), start)).toEqual([world.agent])
  expect(await offered('agents', 'get-key', start)).toEqual([])
  expect(await offered(...cluster(), 'agents', 'create', start)).toEqual([])
  expect(await offered('agents', 'g')).toEqual(['get', 'get-key'])
  expect(await offered('agents', 'list', '--con')).toEqual(['--context'])
})

test('KL-5 keys are completed for revoke, but for those that are revoked already', async () => {
  await using world = await ledgerWorld()
  const generations = [
    { generation: 1, keyID: '1111111111111111', state: 'Revoked' as const },
    { generation: 2, keyID: '2222222222222222', state: 'Retiring' as const },
  ]
  await world.createAgent({}, { keyID: '3333333333333333', generations })

  expect(await eventuallyOffered('agents', 'revoke', ...cluster(), world.agent, '')).toEqual([
    '2222222222222222',
    '3333333333333333',
  ])
  expect(await offered('agents', 'rotate', ...cluster(), world.agent, '')).toEqual([])
})

test.each(['bash', 'zsh', 'fish', 'powershell'])('KL-5 completion has a script for %s', async (shell) => {
  const { code, stdout } = await runLedger(['completion', shell])

  expect(code).toBe(0)
  expect(stdout).toMatch(/kubectl-ledger complete '?--/)
})
