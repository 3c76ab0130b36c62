import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runTool } from '../../tools/check/tool.ts'

const generator = join(import.meta.dirname, '../../tools/generate.ts')

/** A folder that holds everything which is generated, and nothing else. */
const aGeneratedTree = async () => {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-generated-'))
  const generate = (...flags: readonly string[]) => runTool('node', [generator, '--root', root, ...flags], root)
  await generate()
  return { root, generate, [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
}

test('what was generated is not stale', async () => {
  using tree = await aGeneratedTree()

  expect(await tree.generate('--check')).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a file that no longer is what the definitions say is stale, and is written anew', async () => {
  using tree = await aGeneratedTree()
  writeFileSync(join(tree.root, 'deploy/rbac/cluster.yaml'), 'edited')

  const { exitCode, stdout } = await tree.generate('--check')

  expect(exitCode).toBe(1)
  expect(stdout).toContain('stale deploy/rbac/cluster.yaml\n')
  expect((await tree.generate()).stdout).toContain('wrote deploy/rbac/cluster.yaml\n')
  expect((await tree.generate('--check')).exitCode).toBe(0)
})

test('a file in a generated folder that no definition makes any more is named, and removed', async () => {
  using tree = await aGeneratedTree()
  writeFileSync(join(tree.root, 'deploy/crds/example.dev_gone.yaml'), '')

  const { exitCode, stdout } = await tree.generate('--check')

  expect(exitCode).toBe(1)
  expect(stdout).toContain('nothing makes deploy/crds/example.dev_gone.yaml\n')
  await tree.generate()
  expect(readdirSync(join(tree.root, 'deploy/crds'))).not.toContain('example.dev_gone.yaml')
})
