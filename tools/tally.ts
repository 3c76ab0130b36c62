import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { checkReport, coverageVerdict, endReport, outsideReport, testReport } from './report-files.ts'

// usage: node tools/tally.ts [--root DIR] [check] [test]: names what the runs reported as failed, ends with `N passed, N failed`.
interface Tally {
  readonly passed: number
  readonly faults: readonly string[]
}

interface TestFile {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[]
}

interface TestReport {
  readonly success: boolean
  readonly numPassedTests: number
  readonly testResults: readonly TestFile[]
}

interface End {
  readonly status: number | null
  readonly signal: string | null
  readonly lastWords: string
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
const died = (report: string): Tally => ({ passed: 0, faults: [`${report} was not written`] })

const gates = (): Tally => {
  const verdicts = read<readonly { gate: string; passed: boolean }[]>(checkReport)
  if (verdicts === undefined) return died(checkReport)
  const faults = verdicts.filter((verdict) => !verdict.passed).map(({ gate }) => `gate ${gate}`)
  return { passed: verdicts.length - faults.length, faults }
}

/** What an assertion printed without its stack: a log that is cut to its end still says why. */
const why = (message: string): string =>
  stripVTControlCharacters(message)
    .split(/\n +at /)[0]
    ?.slice(0, 600) ?? ''

const faultsOf = ({ name, status, message, assertionResults }: TestFile): readonly string[] => {
  const file = relative(values.root, name)
  const failed = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${file}: ${test.fullName}\n${why(test.failureMessages.join('\n'))}`)
  // A file that does not load fails without a failed test.
  return status === 'failed' && failed.length === 0 ? [`${file}\n${why(message)}`] : failed
}

/** The stack is what tells where such an error came from: its first lines stay. */
const outside = (): readonly string[] =>
  (read<readonly string[]>(outsideReport) ?? []).map(
    (error) => `an error that no test waited for\n${stripVTControlCharacters(error).slice(0, 1200)}`,
  )

const endingOf = (end: End | undefined): string =>
  `the tests passed, and vitest ended with ${end?.signal ?? end?.status}\n${stripVTControlCharacters(end?.lastWords ?? '')}`

const tests = (): Tally => {
  const report = read<TestReport>(testReport)
  if (report === undefined) return died(testReport)
  const faults = [...report.testResults.flatMap(faultsOf), ...outside()]
  const end = read<End>(endReport)
  const isWell = report.success && end?.status === 0
  const unsaid = isWell || faults.length > 0 ? [] : [endingOf(end)]
  return { passed: report.numPassedTests, faults: [...faults, ...unsaid] }
}

const coverage = (): Tally => {
  const verdict = read<{ readonly below: readonly string[] }>(coverageVerdict)
  return { passed: 0, faults: verdict?.below ?? [] }
}

const tallies = positionals.flatMap((part) => (part === 'check' ? [gates()] : [tests(), coverage()]))
const faults = tallies.flatMap((tally) => tally.faults)
const passed = tallies.reduce((total, tally) => total + tally.passed, 0)
for (const fault of faults) process.stdout.write(`failed: ${fault}\n`)
process.stdout.write(`${passed} passed, ${faults.length} failed\n`)
