import { relative } from 'node:path'
import type { Reporter } from 'knip'

export interface DeadCode {
  readonly examined: number
  readonly faults: readonly string[]
}

/** None of knip's own reporters says how many files it looked at. */
const report: Reporter = ({ counters, cwd, issues }) => {
  const faults = Object.values(issues).flatMap((byFile) =>
    Object.values(byFile).flatMap((bySymbol) =>
      Object.values(bySymbol).map(({ type, symbol, filePath, line }) => {
        const file = relative(cwd, filePath)
        const place = line === undefined ? file : `${file}:${line}`
        return type === 'files' ? `${place}: unused file` : `${place}: ${type}: ${symbol}`
      }),
    ),
  )
  process.stdout.write(JSON.stringify({ examined: counters.total, faults } satisfies DeadCode))
}

export default report
