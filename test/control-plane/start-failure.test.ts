import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import { startControlPlane } from '../../src/dev/control-plane/control-plane.ts'
import { readSettings } from '../../src/dev/control-plane/settings.ts'
import { startPrograms } from '../../src/dev/control-plane/start-programs.ts'
import { processesMentioning } from './processes.ts'
import { aScratch, type Scratch } from './scratch.ts'

// Where nothing is cached yet, the first start builds.
const limit = { timeout: 15 * 60_000 }
const takenPort = 'listen tcp 127.0.0.1:2379: bind: address already in use'

/** The real programs in a directory of separate files, with an etcd that runs `before` first. */
const anAssetsDirectory = async (scratch: Scratch, before: string): Promise<void> => {
  const { etcd, apiServer } = await findBinaries({ ...readSettings(), controllerManager: false, say: () => undefined })
  await scratch.script('etcd', before, `exec ${etcd.join(' ')} "$@"`)
  await scratch.script('kube-apiserver', `exec ${apiServer.join(' ')} "$@"`)
  vi.stubEnv('KUBEBUILDER_ASSETS', scratch.directory)
  onTestFinished(() => void vi.unstubAllEnvs())
}

test('a program that ends at the start is named with what it said, where its log is, and nothing stays', async () => {
  await using scratch = await aScratch()
  const etcd = await scratch.script('etcd', 'echo just talking', 'echo "Error: no such flag" >&2', 'exit 3')
  const apiServer = await scratch.script('kube-apiserver', 'exec sleep 600')
  const directory = join(scratch.directory, 'run')
  const failureDirectory = join(scratch.directory, 'failed')

  const starting = startPrograms({
    programs: { etcd: [etcd], apiServer: [apiServer] },
    directory,
    failureDirectory,
    say: () => undefined,
  })

  const log = join(failureDirectory, 'last-failure.log')
  await expect(starting).rejects.toThrow(
    `cannot start the control plane: etcd ended with code 3; its log is ${log} and says:\nError: no such flag`,
  )
  expect(await readFile(log, 'utf8')).toContain('just talking')
  expect(existsSync(directory)).toBe(false)
  expect(await processesMentioning(scratch.directory)).toEqual([])
})

test('a port that somebody took in the meantime costs a second try, not the start', limit, async () => {
  await using scratch = await aScratch()
  const mark = join(scratch.directory, 'tried')
  await anAssetsDirectory(scratch, `[ -e ${mark} ] || { touch ${mark}; echo '${takenPort}'; exit 1; }`)

  await using controlPlane = await startControlPlane({ controllerManager: false })

  expect(controlPlane.version).toMatch(/^v1\./)
})

test('a port that is taken twice fails the start', limit, async () => {
  await using scratch = await aScratch()
  await anAssetsDirectory(scratch, `echo '${takenPort}'; exit 1`)

  await expect(startControlPlane({ controllerManager: false })).rejects.toThrow(
    /etcd ended with code 1.*\n.*already in use/,
  )
})
