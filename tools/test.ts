import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { coverageReport, coverageVerdict, endReport, outsideReport, testReport } from './report-files.ts'

// `make test`: the tests, the coverage of each folder, the tally. A stale report must not stand in for a missing one.
const root = join(import.meta.dirname, '..')
for (const report of [coverageReport, coverageVerdict, endReport, outsideReport, testReport])
  rmSync(join(root, report), { force: true })

// An API server that collects its garbage less often needs more memory, and the sweep a tenth less time.
const env = { ...process.env, GOGC: '400' }

const run = (tool: string, ...args: readonly string[]): boolean =>
  spawnSync('node', [tool, ...args], { cwd: root, stdio: 'inherit' }).status === 0

/** What vitest complains about while it closes down is in none of its reports. */
const runTests = async (...args: readonly string[]): Promise<boolean> => {
  const vitest = spawn('vitest', ['run', ...args], { cwd: root, stdio: ['inherit', 'inherit', 'pipe'], env })
  // Vitest hears it too, and is waited for while it closes down.
  process.on('SIGINT', () => undefined)
  let lastWords = ''
  vitest.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text)
    lastWords = `${lastWords}${text}`.slice(-1200)
  })
  const closed = once(vitest, 'close')
  const [status, signal] = (await once(vitest, 'exit')) as [number | null, NodeJS.Signals | null]
  // What it said last may still be in the pipe; what it left behind may hold that open.
  await Promise.race([closed, pause(2000)])
  mkdirSync(dirname(join(root, endReport)), { recursive: true })
  writeFileSync(join(root, endReport), JSON.stringify({ status, signal, lastWords }))
  return status === 0
}

const filters = process.argv.slice(2)
// Part of the tests covers part of the code: the floors mean nothing then.
const coverage = filters.length === 0 ? ['--coverage'] : []
const passed = await runTests(...coverage, ...filters)
const covered = filters.length > 0 || run('tools/coverage-by-folder.ts')
run('tools/tally.ts', 'test')
// At once: nobody reads the pipe any more.
process.exit(passed && covered ? 0 : 1)
