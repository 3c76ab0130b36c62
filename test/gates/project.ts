import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { goodTree } from './good-tree.ts'

/** Content of a file, or a change to the content it has. */
export type Plant = Readonly<Record<string, string | ((before: string) => string)>>

export interface Outcome {
  readonly green: boolean
  readonly output: string
}

const repository = join(import.meta.dirname, '../..')
const configuration = [
  'eslint.config.ts',
  'tools/lint/own-keys.ts',
  'biome.json',
  '.dependency-cruiser.mjs',
  'knip.json',
  '.jscpd.json',
  'tsconfig.json',
  '.gitignore',
]

/** A small tree that passes every gate, under this repository's own rules, with the faults of `plant` in it. */
export const aProject = (plant: Plant | ((root: string) => Plant) = {}) => {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-gates-'))
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  for (const file of configuration) cpSync(join(repository, file), join(root, file))
  write(root, goodTree)
  write(root, typeof plant === 'function' ? plant(root) : plant)
  return {
    root,
    run: (tool: string, ...args: readonly string[]) => runTool(root, tool, args),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}

const write = (root: string, plant: Plant): void => {
  for (const [file, content] of Object.entries(plant)) {
    const path = join(root, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : content(readFileSync(path, 'utf8')))
  }
}

const runTool = (root: string, tool: string, args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(repository, tool), '--root', root, ...args], (error, stdout, stderr) =>
      resolve({ green: error === null, output: stdout + stderr }),
    )
  })
