import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type CoveredFile, type FileCoverage, merged, percent, shareOf } from './coverage.ts'
import { coverageReport, coverageVerdict } from './report-files.ts'

/** Code without effects has no excuse for an untried branch. */
const branchFloor = 95
const mustBeCovered = /^src\/pure\/|^src\/controllers\/.+[/-](?:stage|decide|status)\.ts$/

const { values } = parseArgs({ options: { root: { type: 'string', default: join(import.meta.dirname, '..') } } })
const { root } = values
const coverage = JSON.parse(readFileSync(join(root, coverageReport), 'utf8')) as Record<string, FileCoverage>
const files: readonly CoveredFile[] = Object.values(coverage).map((file) => ({
  path: relative(root, file.path),
  ...shareOf(file, readFileSync(file.path, 'utf8')),
}))

const byFolder = Map.groupBy(files, ({ path }) => dirname(path))
const row = (folder: string, lines: string, branches: string): string =>
  `${folder.padEnd(48)} ${lines.padStart(8)} ${branches.padStart(8)}\n`

process.stdout.write(`\n${row('folder', 'lines', 'branches')}`)
for (const folder of [...byFolder.keys()].sort()) {
  const { lines, branches } = merged(byFolder.get(folder) ?? [])
  process.stdout.write(row(folder, `${percent(lines).toFixed(1)} %`, `${percent(branches).toFixed(1)} %`))
}

const held = files.filter(({ path }) => mustBeCovered.test(path))
const below = held
  .filter(({ branches }) => percent(branches) < branchFloor)
  .map(
    ({ path, branches }) => `${path}: ${percent(branches).toFixed(1)} % of branches covered, ${branchFloor} % wanted`,
  )
process.stdout.write(`\n${below.map((fault) => `${fault}\n`).join('')}`)

const verdict = join(root, coverageVerdict)
mkdirSync(dirname(verdict), { recursive: true })
writeFileSync(verdict, JSON.stringify({ held: held.length, below }))
if (below.length > 0) process.exitCode = 1
