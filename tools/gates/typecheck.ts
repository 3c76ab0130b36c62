import type { Gate } from '../check/gate.ts'
import { lines, runTool } from '../check/tool.ts'
import { typescriptFiles } from '../check/tree.ts'

export const typecheck: Gate = {
  name: 'types',
  floor: (tree) => typescriptFiles(tree).length,
  async examine({ root }) {
    const run = await runTool('tsc', ['--project', '.', '--pretty', 'false', '--listFiles'], root)
    const output = lines(run.stdout)
    const isListed = (line: string): boolean => line.startsWith('/') || /^[A-Za-z]:[\\/]/.test(line)
    const own = output.filter((line) => line.startsWith(`${root}/`) && !line.includes('/node_modules/'))
    const complaints = output.filter((line) => !isListed(line))
    const faults =
      run.exitCode !== 0 && complaints.length === 0 ? [`tsc exited with ${run.exitCode}: ${run.stderr}`] : complaints
    return { examined: own.length, unit: 'files', faults }
  },
}
