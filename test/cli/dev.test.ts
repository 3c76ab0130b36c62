import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runHoldfast } from './run.ts'

const kubeconfigIn = (output: string): string => /KUBECONFIG=(\S+)/.exec(output)?.[1] ?? ''

test('dev shows plainly, step by step, that everything is ready, says what to try, and cleans up', async () => {
  const { exit, stderr, stdout } = runHoldfast(['dev', '--exit-when-ready'])

  expect(await exit).toEqual([0, null])
  const output = await stderr
  for (const step of ['control plane', 'kinds', 'namespaces', 'operator', 'sample agent']) {
    expect(output).toMatch(new RegExp(`^✔ ${step} .* \\d+\\.\\d s$`, 'm'))
  }
  expect(output).toContain('biller is ready with key ')
  expect(output).toContain('kubectl get ledgerclusteragents')
  expect(output).not.toContain('\u001b')
  expect(await stdout).toBe('')
  expect(existsSync(kubeconfigIn(output))).toBe(false)
})

test('Ctrl-C ends dev and cleans up', async () => {
  const { child, exit, stderr } = runHoldfast(['dev'])
  let shown = ''
  child.stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8')
    if (shown.includes('Ctrl-C ends it all')) child.kill('SIGINT')
  })

  expect(await exit).toEqual([0, null])
  expect(existsSync(kubeconfigIn(await stderr))).toBe(false)
})
