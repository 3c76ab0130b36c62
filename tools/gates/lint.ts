import { relative } from 'node:path'
import type { Gate } from '../check/gate.ts'
import { runTool, toolBroke } from '../check/tool.ts'
import { typescriptFiles } from '../check/tree.ts'

interface FileResult {
  readonly filePath: string
  readonly messages: readonly { line?: number; column?: number; message: string; ruleId: string | null }[]
}

/** Node reads eslint.config.ts itself; without the flag ESLint would want a loader as one more dependency. */
const args = ['--flag', 'unstable_native_nodejs_ts_config', '--format', 'json', '.']

export const lint: Gate = {
  name: 'lint',
  floor: (tree) => typescriptFiles(tree).length,
  async examine({ root }) {
    const run = await runTool('eslint', args, root)
    if (!run.stdout.startsWith('[')) throw toolBroke('eslint', run)
    const results = JSON.parse(run.stdout) as readonly FileResult[]
    // A warning fails too: a rule that may be ignored is not a rule.
    const faults = results.flatMap(({ filePath, messages }) =>
      messages.map((fault) => {
        const place = `${relative(root, filePath)}:${fault.line ?? 1}:${fault.column ?? 1}`
        return `${place} ${fault.message} (${fault.ruleId ?? 'parser'})`
      }),
    )
    return { examined: results.filter(({ filePath }) => filePath.endsWith('.ts')).length, unit: 'files', faults }
  },
}
