import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { coverageReport, coverageVerdict, testReport } from './report-files.ts'

// `make test`: the tests, the coverage of each folder, the tally. A stale report must not stand in for a missing one.
const root = join(import.meta.dirname, '..')
for (const report of [coverageReport, coverageVerdict, testReport]) rmSync(join(root, report), { force: true })

// An API server that collects its garbage less often needs more memory, and the sweep a tenth less time.
const env = { ...process.env, GOGC: '400' }

const run = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { cwd: root, stdio: 'inherit', env }).status === 0

const filters = process.argv.slice(2)
// Part of the tests covers part of the code: the floors mean nothing then.
const coverage = filters.length === 0 ? ['--coverage'] : []
const passed = run('vitest', 'run', ...coverage, ...filters)
const covered = filters.length > 0 || run('node', 'tools/coverage-by-folder.ts')
run('node', 'tools/tally.ts', 'test')
if (!passed || !covered) process.exitCode = 1
