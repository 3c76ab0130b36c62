import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Gate } from '../check/gate.ts'
import { lines, runTool } from '../check/tool.ts'

const generator = 'tools/generate.ts'

export const generated: Gate = {
  name: 'generated',
  /** A CRD, a reference page and the roles of both modes at the least. */
  floor: () => 4,
  async examine({ root }) {
    if (!existsSync(join(root, generator))) return { examined: 0, unit: 'files', faults: [`there is no ${generator}`] }
    const run = await runTool('node', [generator, '--check'], root)
    const counted = /(\d+) files?\b/.exec(run.stdout)
    const faults = run.exitCode === 0 ? [] : [...lines(run.stdout + run.stderr), 'to mend it: make generate']
    return { examined: Number(counted?.[1] ?? 0), unit: 'files', faults }
  },
}
