import { join } from 'node:path'
import type { Gate } from '../check/gate.ts'
import { runTool, toolBroke } from '../check/tool.ts'
import { isTest, type Tree, typescriptFiles } from '../check/tree.ts'
import type { DeadCode } from '../knip-reporter.ts'

const reporter = join(import.meta.dirname, '../knip-reporter.ts')

const runKnip = async (tree: Tree, ...mode: readonly string[]) => {
  const run = await runTool('knip', ['--no-progress', '--reporter', reporter, ...mode], tree.root)
  if (!run.stdout.startsWith('{')) throw toolBroke('knip', run)
  const { examined, faults } = JSON.parse(run.stdout) as DeadCode
  return { examined, unit: 'files', faults }
}

export const deadCode: Gate = {
  name: 'dead-code',
  floor: (tree) => typescriptFiles(tree, 'src', 'test', 'bench', 'tools').length,
  examine: (tree) => runKnip(tree),
}

/** What only tests use is dead weight in the image. */
export const testOnlyCode: Gate = {
  name: 'test-only',
  floor: (tree) => typescriptFiles(tree, 'src').filter((file) => !isTest(file)).length,
  examine: (tree) => runKnip(tree, '--production'),
}
