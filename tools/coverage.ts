interface Position {
  readonly line: number
  readonly column: number
}

interface Range {
  readonly start: Position
  readonly end: Position
}

/** One file of an istanbul report, as far as it is read here. */
export interface FileCoverage {
  readonly path: string
  readonly statementMap: Readonly<Record<string, Range>>
  readonly s: Readonly<Record<string, number>>
  readonly branchMap: Readonly<Record<string, { readonly type: string; readonly locations: readonly Range[] }>>
  readonly b: Readonly<Record<string, readonly number[]>>
}

export interface Share {
  readonly covered: number
  readonly total: number
}

export interface CoveredFile {
  readonly path: string
  readonly lines: Share
  readonly branches: Share
}

export const percent = ({ covered, total }: Share): number => (total === 0 ? 100 : (100 * covered) / total)

export const merged = (files: readonly CoveredFile[]): Pick<CoveredFile, 'lines' | 'branches'> => ({
  lines: added(files.map((file) => file.lines)),
  branches: added(files.map((file) => file.branches)),
})

export const shareOf = (file: FileCoverage, source: string): Pick<CoveredFile, 'lines' | 'branches'> => ({
  lines: lineShare(file),
  branches: branchShare(file, source.split('\n')),
})

const added = (shares: readonly Share[]): Share => ({
  covered: shares.reduce((sum, share) => sum + share.covered, 0),
  total: shares.reduce((sum, share) => sum + share.total, 0),
})

/** A line counts as covered when a statement that begins on it ran. */
const lineShare = ({ statementMap, s }: FileCoverage): Share => {
  const ran = new Map<number, boolean>()
  for (const [id, { start }] of Object.entries(statementMap)) {
    ran.set(start.line, ran.get(start.line) === true || (s[id] ?? 0) > 0)
  }
  return { covered: [...ran.values()].filter(Boolean).length, total: ran.size }
}

const branchShare = ({ branchMap, b }: FileCoverage, source: readonly string[]): Share => {
  const counts = Object.entries(branchMap).flatMap(([id, { locations }]) =>
    locations.flatMap((range, index) => (isImpossible(range, source) ? [] : [b[id]?.[index] ?? 0])),
  )
  return { covered: counts.filter((count) => count > 0).length, total: counts.length }
}

/** `default: return stage satisfies never` is there for the compiler: no test can reach it. */
const isImpossible = ({ start, end }: Range, source: readonly string[]): boolean => {
  const text = source.slice(start.line - 1, end.line)
  return /^default:/.test(text[0]?.trim() ?? '') && text.some((line) => line.includes('satisfies never'))
}
