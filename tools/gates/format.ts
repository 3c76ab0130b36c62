import type { Gate } from '../check/gate.ts'
import { lines, runTool, toolBroke } from '../check/tool.ts'

export const format: Gate = {
  name: 'format',
  floor: ({ files }) =>
    files.filter((file) => /\.(?:ts|mjs)$|^[^/]+\.json$/.test(file) && file !== 'package-lock.json').length,
  async examine({ root }) {
    const run = await runTool('biome', ['format', '--max-diagnostics=none', '--colors=off', '.'], root)
    const checked = /^Checked (\d+) files?/m.exec(run.stdout + run.stderr)
    if (checked === null) throw toolBroke('biome', run)
    const named = lines(run.stderr).filter((line) => /^\S+ (?:format|parse) ━/.test(line))
    const files = named.map((line) => `${line.split(' ━')[0]}: not as the formatter would write it`)
    const faults =
      run.exitCode === 0 ? [] : [...(files.length > 0 ? files : lines(run.stderr)), 'to mend it: make format']
    return { examined: Number(checked[1]), unit: 'files', faults }
  },
}
