import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { outsideReport } from './report-files.ts'

/** An error that no test waited for fails the run, and the JSON report does not know of it: it says that all is well. */
export class OutsideTests implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    mkdirSync(dirname(outsideReport), { recursive: true })
    writeFileSync(outsideReport, JSON.stringify(errors.map(said)))
  }
}

const said = ({ type, stack, message, VITEST_TEST_PATH, VITEST_TEST_NAME }: SerializedError): string =>
  [type, VITEST_TEST_PATH, VITEST_TEST_NAME, stack ?? message].filter((part) => typeof part === 'string').join('\n')
