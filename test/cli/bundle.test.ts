import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildBundle } from '../../tools/bundle.ts'
import { nodeEnvironment, nodeFlags } from '../../tools/node-settings.ts'
import manifest from '../../package.json' with { type: 'json' }

const runFile = promisify(execFile)
const root = join(import.meta.dirname, '../..')

// Only root can become somebody else; whoever else runs the tests is as little allowed to write there.
const isRoot = process.getuid?.() === 0
const asImageUser = isRoot ? { uid: 65532, gid: 65532 } : {}
const who = isRoot ? 'the user of the image' : 'whoever runs the tests'

let dist: string

beforeAll(async () => {
  dist = (await buildBundle()).directory
  for (const file of await readdir(dist, { recursive: true, withFileTypes: true }))
    await chmod(join(file.parentPath, file.name), 0o555)
  await chmod(dist, 0o555)
})

afterAll(async () => {
  await chmod(dist, 0o755)
  await rm(dist, { recursive: true })
})

/** Runs the bundle as a container does, but for the container: no environment, no home, nothing that it may write. */
const run = async (...args: readonly string[]) => runAs('holdfast.js', ...args)

const runAs = async (name: string, ...args: readonly string[]) => {
  // Node itself refuses every write, every child process and every native module.
  const flags = ['--permission', '--allow-fs-read=*']
  const options = { cwd: '/', env: {}, ...asImageUser }
  return runFile(process.execPath, [...flags, join(dist, name), ...args], options)
}

describe(`the bundle, read-only and run by ${who} with no right to write anything`, () => {
  test.each([
    [['--version'], `${manifest.version}\n`],
    [['version'], `holdfast ${manifest.version}\n`],
  ])('prints its version: %s', async (args, printed) => {
    expect(await run(...args)).toEqual({ stdout: printed, stderr: '' })
  })

  test('helps', async () => {
    const { stdout, stderr } = await run('--help')

    expect(stdout).toContain('Usage: holdfast [options] [command]')
    expect(stderr).toBe('')
  })

  test('answers to the names of a kubectl plugin', async () => {
    expect((await runAs('kubectl-ledger', 'agents', '--help')).stdout).toContain('Usage: kubectl ledger agents')
    expect((await runAs('kubectl-ledger', 'agents', 'create', 'x', '--dry-run')).stdout).toContain('name: x')
    expect((await runAs('kubectl_complete-ledger', 'agents', 'get-')).stdout).toBe(
      'get-key\thand out the key of an agent\n:4\n',
    )
  })

  test('prints an installation', async () => {
    const { stdout, stderr } = await run('install')

    const kinds = parseAllDocuments(stdout).map((document) => (document.toJS() as { kind: string }).kind)
    expect(kinds).toContain('Deployment')
    expect(stderr).toBe('')
  })

  test('runs the operator against a real API server, serves its health, and ends when asked', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-kubeconfig-'))
    await chmod(directory, 0o755)
    const kubeconfig = join(directory, 'kubeconfig')
    await writeFile(kubeconfig, await readFile(inject('kubeconfig'), 'utf8'), { mode: 0o644 })
    const flags = ['--permission', '--allow-fs-read=*']
    const args = ['operator', '--kubeconfig', kubeconfig, '--http-port', '0']
    const options = { cwd: '/', env: { POD_NAMESPACE: 'nowhere' }, ...asImageUser }
    const child = spawn(process.execPath, [...flags, join(dist, 'holdfast.js'), ...args], options)
    const exit = once(child, 'exit')
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        const { msg, http } = JSON.parse(line) as { msg: string; http?: number }
        if (msg === 'stopping') break
        if (msg !== 'ready') continue
        expect((await fetch(`http://127.0.0.1:${http}/readyz`)).status).toBe(200)
        expect(await (await fetch(`http://127.0.0.1:${http}/metrics`)).text()).toContain('holdfast_leading 0')
        child.kill('SIGTERM')
      }
      expect(await exit).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await rm(directory, { recursive: true })
    }
  })

  test('completes', async () => {
    expect((await run('complete', '--', 'inst')).stdout).toContain('install\t')
    expect((await run('completion', 'bash')).stdout).toContain('# bash completion for holdfast')
  })
})

test('help and version load commander and nothing else that is large', async () => {
  const loaded: string[] = []
  const follow = async (file: string): Promise<void> => {
    if (loaded.includes(file)) return
    loaded.push(file)
    const source = await readFile(join(dist, file), 'utf8')
    for (const [, imported = ''] of source.matchAll(/^(?:import|\} from|export .* from) ?"\.\/([^"]+)"/gm))
      await follow(imported)
  }
  await follow('holdfast.js')

  const sources = await Promise.all(
    loaded.map(async (file) => {
      const map = JSON.parse(await readFile(join(dist, `${file}.map`), 'utf8')) as { sources: readonly string[] }
      return map.sources
    }),
  )
  const packages = sources.flat().flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
  expect(new Set(packages)).toEqual(new Set(['commander']))
  const sizes = await Promise.all(loaded.map(async (file) => (await stat(join(dist, file))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
})

const variables = Object.entries(nodeEnvironment).map(([name, value]) => `${name}=${value}`)

describe('the program that is started without naming Node', () => {
  test('starts Node with its settings, and passes its arguments unchanged', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-node-'))
    const node = '#!/bin/sh\nfor word in "$MALLOC_ARENA_MAX" "$@"; do echo "$word"; done\n'
    await writeFile(join(directory, 'node'), node, { mode: 0o755 })
    const program = join(dist, 'kubectl-ledger')
    const { stdout } = await runFile(program, ['get', 'a  b', '$x"'], { env: { PATH: `${directory}:/usr/bin:/bin` } })
    await rm(directory, { recursive: true })

    const started = stdout.trimEnd().split('\n')
    expect(started).toEqual([nodeEnvironment.MALLOC_ARENA_MAX, ...nodeFlags, program, 'get', 'a  b', '$x"'])
  })

  test('answers by the name that it was called by', async () => {
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`
    const { stdout, stderr } = await runFile(join(dist, 'kubectl-ledger'), ['agents', '--help'], { env: { PATH } })

    expect(stdout).toContain('Usage: kubectl ledger agents')
    expect(stderr).toBe('')
  })
})

test('the image holds the bundle, and runs it as nobody', async () => {
  const lines = (await readFile(join(root, 'Dockerfile'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const entrypoint = ['/nodejs/bin/node', ...nodeFlags, '/holdfast/dist/holdfast.js']

  expect(lines).toEqual([
    expect.stringMatching(/^FROM \S+nodejs24\S*:[\w.-]+$/),
    'COPY dist/ /holdfast/dist/',
    'USER 65532:65532',
    ...variables.map((variable) => `ENV ${variable}`),
    `ENTRYPOINT [${entrypoint.map((word) => `"${word}"`).join(', ')}]`,
  ])
})
