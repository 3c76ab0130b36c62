import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findBinaries } from '../../src/dev/control-plane/binaries.ts'
import { eventually } from '../../src/dev/eventually.ts'
import { processesMentioning } from './processes.ts'
import { aScratch, type Scratch } from './scratch.ts'
import { aSearch } from './search.ts'

/** A Go that counts its calls, waits while a file `hold` is there, then writes what it was asked to. */
const aGo = async (scratch: Scratch): Promise<{ readonly hold: string; readonly calls: () => Promise<number> }> => {
  const hold = join(scratch.directory, 'hold')
  const log = join(scratch.directory, 'calls')
  await scratch.script(
    'go',
    `echo called >> ${log}`,
    'while [ "$1" != -o ]; do shift; done',
    'echo half > "$2"',
    `while [ -e ${hold} ]; do sleep 0.05; done`,
    'echo whole > "$2" && chmod +x "$2"',
  )
  await writeFile(hold, '')
  return { hold, calls: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').length - 1 }
}

test('two that need the programs at once build them once', async () => {
  await using scratch = await aScratch()
  const go = await aGo(scratch)
  const said: string[] = []
  const search = { ...aSearch(scratch), say: (line: string) => void said.push(line) }

  const both = Promise.all([findBinaries(search), findBinaries(search)])
  await eventually('the second to wait', () => said.find((line) => line.startsWith('waiting for process')))
  await eventually('the build to begin', async () => (await go.calls()) === 1 || undefined)
  await rm(go.hold)
  const [first, second] = await both

  expect(second).toEqual(first)
  expect(await readFile(first.etcd[0], 'utf8')).toBe('whole\n')
  expect(await go.calls()).toBe(1)
  expect(said).toContainEqual(expect.stringMatching(/^building kube-apiserver.* from source, once .*: 0 s$/))
})

test('a build whose process is killed leaves nothing half-made, and the next one builds', async () => {
  await using scratch = await aScratch()
  const go = await aGo(scratch)
  const script = fileURLToPath(new URL('./build-and-wait.ts', import.meta.url))
  const parent = spawn(process.execPath, [script, scratch.directory], { stdio: 'inherit' })
  await eventually('the build to begin', async () => (await go.calls()) === 1 || undefined)

  parent.kill('SIGKILL')

  const search = aSearch(scratch)
  await eventually(
    'the compiler to end',
    async () => (await processesMentioning(scratch.directory)).length === 0 || undefined,
  )
  await eventually('the half-made file to go', async () => {
    const left = await readdir(search.cacheDirectory)
    return left.every((name) => ['lock', 'build.log'].includes(name)) || undefined
  })
  await rm(go.hold)
  const { etcd } = await findBinaries(search)
  expect(await readFile(etcd[0], 'utf8')).toBe('whole\n')
  expect(await go.calls()).toBe(2)
  expect(existsSync(join(search.cacheDirectory, 'lock'))).toBe(false)
})

test('what an earlier run left half-made is removed before the next build', async () => {
  await using scratch = await aScratch()
  const go = await aGo(scratch)
  await rm(go.hold)
  const search = aSearch(scratch)
  await mkdir(join(search.cacheDirectory, 'part-1', 'output'), { recursive: true })

  await findBinaries(search)

  expect((await readdir(search.cacheDirectory)).filter((name) => name.startsWith('part-'))).toEqual([])
})

test('without Go and without a network, it says what to install or set', async () => {
  await using scratch = await aScratch()

  await expect(findBinaries(aSearch(scratch))).rejects.toThrow(
    'cannot get a control plane: no released programs can be downloaded and there is no Go to build them with; ' +
      'install Go from https://go.dev/dl or set KUBEBUILDER_ASSETS to a directory with etcd and kube-apiserver',
  )
})

test.for([
  [
    'a full disk',
    'write /x: no space left on device',
    /^cannot get a control plane: the disk is full; free about 4 GB/,
  ],
  [
    'Go without a network',
    'dial tcp: lookup x: no such host',
    /^cannot build .*: go could not download its modules; connect/,
  ],
  ['any other failure', 'undefined: x', /^cannot build .*: go ended with code 1; what it said is in .*build\.log$/],
] as const)('%s fails the build with a sentence', async ([, said, sentence]) => {
  await using scratch = await aScratch()
  await scratch.script('go', `echo '${said}' >&2`, 'exit 1')
  const search = aSearch(scratch)

  await expect(findBinaries(search)).rejects.toThrow(sentence)

  expect(await readdir(search.cacheDirectory)).toEqual(['build.log'])
})
