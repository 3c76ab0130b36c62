import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { clientOf } from './kube-request.ts'
import { processesMentioning } from './processes.ts'

// Where nothing is cached yet, the first start builds.
const limit = { timeout: 15 * 60_000 }
const aNamespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

test('a started control plane answers the administrator and refuses a stranger', limit, async () => {
  await using controlPlane = await startControlPlane({ controllerManager: false })
  const admin = await clientOf(controlPlane.kubeconfig, 'admin')
  const stranger = await clientOf(controlPlane.kubeconfig, 'anonymous')

  expect(await admin('GET', '/version')).toMatchObject({ status: 200, body: { gitVersion: controlPlane.version } })
  expect(await admin('POST', '/api/v1/namespaces', aNamespace('mine'))).toMatchObject({ status: 201 })
  expect(await stranger('POST', '/api/v1/namespaces', aNamespace('theirs'))).toMatchObject({ status: 403 })
})

test('with the controllers of Kubernetes, a deleted namespace really goes', limit, async () => {
  await using controlPlane = await startControlPlane({ controllerManager: true })
  const admin = await clientOf(controlPlane.kubeconfig, 'admin')
  await admin('POST', '/api/v1/namespaces', aNamespace('going'))
  await eventually('the default service account', async () => {
    const { status } = await admin('GET', '/api/v1/namespaces/going/serviceaccounts/default')
    return status === 200 || undefined
  })

  await admin('DELETE', '/api/v1/namespaces/going')

  await eventually('the namespace to go', async () => {
    const { status } = await admin('GET', '/api/v1/namespaces/going')
    return status === 404 || undefined
  })
})

test('after a stop, no process and no file stays', limit, async () => {
  const controlPlane = await startControlPlane({ controllerManager: true })
  expect(await processesMentioning(controlPlane.directory)).toHaveLength(3)

  await controlPlane.stop()
  await controlPlane.stop()

  expect(await processesMentioning(controlPlane.directory)).toEqual([])
  expect(existsSync(controlPlane.directory)).toBe(false)
})

test('when the process that started it is killed outright, no process and no file stays', limit, async () => {
  const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url))
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const directory = await new Promise<string>((resolve) =>
    createInterface({ input: parent.stdout }).once('line', resolve),
  )
  expect(await processesMentioning(directory)).toHaveLength(3)

  parent.kill('SIGKILL')

  await eventually('the programs to end', async () => (await processesMentioning(directory)).length === 0 || undefined)
  await eventually('the directory to go', () => !existsSync(directory) || undefined)
})
