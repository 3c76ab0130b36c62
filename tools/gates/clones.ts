import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gate } from '../check/gate.ts'
import { runTool, toolBroke } from '../check/tool.ts'
import { type Tree, typescriptFiles } from '../check/tree.ts'

interface Clones {
  readonly duplicates: readonly { readonly firstFile: Place; readonly secondFile: Place; readonly tokens: number }[]
  readonly statistics: { readonly total: { readonly sources: number } }
}

interface Place {
  readonly name: string
  readonly start: number
  readonly end: number
}

export const clones: Gate = {
  name: 'clones',
  // Not every file: jscpd leaves out those with fewer tokens than a clone must have.
  floor: (tree) => Math.ceil(typescriptFiles(tree, 'src', 'test').length / 2),
  async examine(tree) {
    const { duplicates, statistics } = await findClones(tree)
    const faults = duplicates
      .filter(isTooLong)
      .map(({ firstFile, secondFile, tokens }) => `${place(firstFile)} and ${place(secondFile)} share ${tokens} tokens`)
    return { examined: statistics.total.sources, unit: 'files', faults }
  },
}

// Tests that arrange alike are easy to read side by side: among themselves they may share more.
const tokensThatTestsMayShare = 100

const isTest = ({ name }: Place): boolean => name.startsWith('test/') || name.endsWith('.test.ts')

const isTooLong = ({ firstFile, secondFile, tokens }: Clones['duplicates'][number]): boolean =>
  !(isTest(firstFile) && isTest(secondFile)) || tokens > tokensThatTestsMayShare

const place = ({ name, start, end }: Place): string => `${name}:${start}-${end}`

const findClones = async ({ root }: Tree): Promise<Clones> => {
  const output = mkdtempSync(join(tmpdir(), 'holdfast-clones-'))
  try {
    const run = await runTool('jscpd', ['--reporters', 'json', '--output', output, '--silent', '.'], root)
    const report = join(output, 'jscpd-report.json')
    if (run.exitCode > 1) throw toolBroke('jscpd', run)
    return JSON.parse(readFileSync(report, 'utf8')) as Clones
  } finally {
    rmSync(output, { recursive: true })
  }
}
