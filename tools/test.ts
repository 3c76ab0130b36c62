import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { coverageReport, coverageVerdict, endReport, outsideReport, testReport } from './report-files.ts'

// `make test`: the tests, the coverage of each folder, the tally. A stale report must not stand in for a missing one.
const root = join(import.meta.dirname, '..')
for (const report of [coverageReport, coverageVerdict, endReport, outsideReport, testReport])
  rmSync(join(root, report), { force: true })

// An API server that collects its garbage less often needs more memory, and the sweep a tenth less time.
const env = { ...process.env, GOGC: '400' }

const run = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env })

const filters = process.argv.slice(2)
// Part of the tests covers part of the code: the floors mean nothing then.
const coverage = filters.length === 0 ? ['--coverage'] : []
const { status, signal } = run('vitest', 'run', ...coverage, ...filters)
mkdirSync(dirname(join(root, endReport)), { recursive: true })
writeFileSync(join(root, endReport), JSON.stringify({ status, signal }))
const covered = filters.length > 0 || run('node', 'tools/coverage-by-folder.ts').status === 0
run('node', 'tools/tally.ts', 'test')
if (status !== 0 || !covered) process.exitCode = 1
