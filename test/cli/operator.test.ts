import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { LedgerService } from '../../src/api/ledgerservice.ts'
import { operatorNamespace } from '../../src/config.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { StatefulSet } from '../../src/pure/kind.ts'
import { aScratch } from '../control-plane/scratch.ts'
import { startChildOperator } from '../kit/child-operator.ts'
import { createService, serviceKey } from '../kit/services.ts'
import { sharedConnection } from '../kit/shared-control-plane.ts'
import { aSuite } from '../kit/suite.ts'
import { runHoldfast } from './run.ts'

const outsideOfAPod = { KUBERNETES_SERVICE_HOST: '', KUBERNETES_SERVICE_PORT: '' }
const nowhere = join(tmpdir(), 'there-is-no-such-file')

test('POD_NAMESPACE says where the operator keeps its keys', () => {
  expect(operatorNamespace({ POD_NAMESPACE: ' ledger-system\n' }, nowhere)).toBe('ledger-system')
})

test('without it, the namespace of the pod’s service account does', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  writeFileSync(join(directory, 'namespace'), 'from-the-pod\n')
  expect(operatorNamespace({ POD_NAMESPACE: ' ' }, join(directory, 'namespace'))).toBe('from-the-pod')
  rmSync(directory, { recursive: true })
})

test('an operator that does not know its namespace says so in one sentence and exits 1', async () => {
  const { exit, stderr } = runHoldfast(['operator', '--kubeconfig', inject('kubeconfig')])

  expect(await exit).toEqual([1, null])
  expect(await stderr).toBe(
    'holdfast: the operator does not know its namespace: set POD_NAMESPACE to the namespace that its keys shall live in\n',
  )
})

test('an operator without a usable kubeconfig says which file and why, and exits 1', async () => {
  const { exit, stderr } = runHoldfast(['operator', '--kubeconfig', nowhere], { POD_NAMESPACE: 'x' })

  expect(await exit).toEqual([1, null])
  expect(await stderr).toBe(`holdfast: cannot read kubeconfig ${nowhere}: it is missing, unreadable or not YAML\n`)
})

test('an operator follows neither KUBECONFIG nor the home directory, says what to do, and exits 1', async () => {
  await using home = await aScratch()
  mkdirSync(join(home.directory, '.kube'))
  await home.write('.kube/config', readFileSync(inject('kubeconfig'), 'utf8'))
  const env = { POD_NAMESPACE: 'x', HOME: home.directory, KUBECONFIG: inject('kubeconfig'), ...outsideOfAPod }
  const { exit, stderr } = runHoldfast(['operator'], env)

  expect(await exit).toEqual([1, null])
  expect(await stderr).toBe(
    'holdfast: the operator does not run in a pod (KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set): name a cluster with --kubeconfig FILE\n',
  )
})

test('SIGTERM ends the operator, and it exits 0', async () => {
  const { child, exit, stdout } = runHoldfast(['operator', '--kubeconfig', inject('kubeconfig'), '--http-port', '0'], {
    POD_NAMESPACE: 'x',
  })
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('ready')) child.kill('SIGTERM')
  })

  expect(await exit).toEqual([0, null])
  expect(await stdout).toContain('stopping')
})

test('--http-address limits where probes and metrics are served', async () => {
  const flags = ['--http-port', '0', '--http-address', '::1', '--no-leader-election']
  const { child, exit } = runHoldfast(['operator', '--kubeconfig', inject('kubeconfig'), ...flags], {
    POD_NAMESPACE: 'x',
  })
  const ready = Promise.withResolvers<number>()
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    const http = /"http":(\d+)/.exec(shown)?.[1]
    if (http !== undefined) ready.resolve(Number(http))
  })
  void exit.then(([code]) => ready.reject(new Error(`it ended with ${code}`)))
  const port = await ready.promise
  const answer = (host: string) =>
    fetch(`http://${host}:${port}/healthz`).then(
      ({ status }) => status,
      () => 'refused',
    )
  const answers = [await answer('[::1]'), await answer('127.0.0.1')]
  child.kill('SIGTERM')

  expect(answers).toEqual([200, 'refused'])
  expect(await exit).toEqual([0, null])
})

test('a kind that is left to somebody else is not touched, and the others are served', async () => {
  await using suite = await aSuite(['a'])
  const pass = { onCall: () => undefined }
  const flags = ['--no-leader-election', '--without', 'ledgerservices']
  const { operator } = await startChildOperator(sharedConnection().port, pass, suite.operatorScope, flags)
  await createService(suite, 'a', { spec: { auth: { enabled: true } } })
  await suite.createAgent([])
  await eventually('the agent has its key', async () => (await suite.condition())?.status === 'True')
  const service = await suite.client.get<LedgerService>(LedgerService, serviceKey(suite, 'a'))
  await operator.stop()

  expect(service?.status).toBeUndefined()
  expect(await suite.client.get(StatefulSet, { namespace: suite.named('a'), name: 'ledger-books' })).toBeUndefined()
  expect(await suite.replica('a')).toBeDefined()
})
