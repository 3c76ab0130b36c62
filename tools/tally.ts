import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkReport, coverageVerdict, testReport } from './report-files.ts'

// usage: node tools/tally.ts [--root DIR] [check] [test]: adds up what the runs reported, ends with `N passed, N failed`.
interface Count {
  readonly passed: number
  readonly failed: number
}

interface TestReport {
  readonly success: boolean
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly { status: string }[] }[]
}

const { values, positionals } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '..') } },
  allowPositionals: true,
})

const read = <T>(report: string): T | undefined => {
  const path = join(values.root, report)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined
}

/** A run that left no report died on the way: that is a failure too. */
const died: Count = { passed: 0, failed: 1 }

const gateCount = (): Count => {
  const verdicts = read<readonly { passed: boolean }[]>(checkReport)
  if (verdicts === undefined) return died
  const passed = verdicts.filter((verdict) => verdict.passed).length
  return { passed, failed: verdicts.length - passed }
}

const testCount = (): Count => {
  const report = read<TestReport>(testReport)
  if (report === undefined) return died
  // A file that does not load, and an error outside of any test, fail the run without a failed test.
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length
  const failed = report.numFailedTests + unloaded
  return { passed: report.numPassedTests, failed: report.success ? failed : Math.max(1, failed) }
}

const coverageCount = (): Count => {
  const verdict = read<{ readonly below: readonly string[] }>(coverageVerdict)
  return { passed: 0, failed: verdict?.below.length ?? 0 }
}

const counts = positionals.flatMap((part) => (part === 'check' ? [gateCount()] : [testCount(), coverageCount()]))
const sum = (pick: (count: Count) => number): number => counts.reduce((total, count) => total + pick(count), 0)
process.stdout.write(`${sum((count) => count.passed)} passed, ${sum((count) => count.failed)} failed\n`)
