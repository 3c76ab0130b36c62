import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LedgerClusterAgent } from '../../src/api/ledgerclusteragent.ts'
import { tellOfKeys } from '../../src/cli/dev.ts'
import { agentNames, claimAnnotation } from '../../src/pure/names.ts'
import { connectAsAdmin } from '../kit/shared-control-plane.ts'
import { runHoldfast } from './run.ts'

const kubeconfigIn = (output: string): string => /KUBECONFIG=(\S+)/.exec(output)?.[1] ?? ''

test('dev shows plainly, step by step, that everything is ready, says what to try, and cleans up', {
  timeout: 180_000,
}, async () => {
  const { exit, stderr, stdout } = runHoldfast(['dev', '--exit-when-ready'])

  expect(await exit).toEqual([0, null])
  const output = await stderr
  for (const step of ['control plane', 'kinds', 'namespaces', 'operator', 'sample services', 'sample agent']) {
    expect(output).toMatch(new RegExp(`^✔ ${step} .* \\d+\\.\\d s$`, 'm'))
  }
  expect(output).toContain('biller is ready with key ')
  expect(output).toContain('kubectl get ledgerclusteragents')
  expect(output).not.toContain('\u001b')
  expect(await stdout).toBe('')
  expect(kubeconfigIn(output)).toContain('kubeconfig')
  expect(existsSync(kubeconfigIn(output))).toBe(false)
})

test('dev tells how an exchange of keys goes through, each step once', () => {
  const said: string[] = []
  const tell = tellOfKeys((line) => said.push(line))
  const see = (keyID: string, message?: string) => {
    const rotation = { type: 'RotationComplete', status: 'False', reason: 'RotationWaiting', message }
    const status = { keyID, conditions: message === undefined ? [] : [rotation] }
    const object = { metadata: { name: 'biller' }, status } as unknown as LedgerClusterAgent
    tell([{ type: 'MODIFIED', object }])
  }
  const waiting = (services: string) => `key b is used as soon as every service has loaded it; waiting for ${services}`

  see('a')
  see('a', waiting('team-a/books, team-b/books'))
  see('a', waiting('team-a/books, team-b/books'))
  see('a', waiting('team-b/books'))
  see('b', 'key a is accepted until 2026-11-23T14:09:40Z')

  expect(said).toEqual([
    `biller signs with key a; ${waiting('team-a/books, team-b/books')}`,
    `biller signs with key a; ${waiting('team-b/books')}`,
    'biller signs with key b; key a is accepted until 2026-11-23T14:09:40Z',
  ])
})

test('LCA-18 an agent that nobody has claimed is claimed; Ctrl-C ends dev and cleans up', {
  timeout: 180_000,
}, async () => {
  const { child, exit, stderr } = runHoldfast(['dev'])
  const ready = Promise.withResolvers<string>()
  let shown = ''
  child.stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8')
    if (shown.includes('Ctrl-C ends it all')) ready.resolve(shown)
  })
  const { port, client } = connectAsAdmin(kubeconfigIn(await ready.promise))
  const agent = await client.get(LedgerClusterAgent, { name: 'biller' })
  await port.close()
  child.kill('SIGINT')

  expect(await exit).toEqual([0, null])
  expect(agent?.metadata.annotations).toMatchObject({ [claimAnnotation]: 'holdfast-system' })
  expect(agent?.metadata.finalizers).toEqual([agentNames.finalizer])
  expect(existsSync(kubeconfigIn(await stderr))).toBe(false)
})
