import { harmless } from '../harmless.ts'
import { paint, type Style } from '../paint.ts'

/** A text in a table, perhaps in a colour. */
export type Cell = string | { readonly text: string; readonly style: Style }
export type Row = readonly Cell[]

const between = '  '

/** Rows in columns, two spaces apart. */
export const printTable = (rows: readonly Row[]): string => {
  const widths = widthsOf(rows)
  return rows.map((row) => printRow(row, widths)).join('')
}

/** How wide each column is. */
export const widthsOf = (rows: readonly Row[]): readonly number[] => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => harmless(textOf(row[column] ?? '')).length)),
  )
}

export const printRow = (row: Row, widths: readonly number[]): string => {
  const last = row.findLastIndex((cell) => textOf(cell) !== '')
  const cells = row.slice(0, last + 1).map((cell, column) => {
    const text = harmless(textOf(cell))
    const filler = column === last ? '' : ' '.repeat(Math.max(0, (widths[column] ?? 0) - text.length))
    return `${typeof cell === 'string' ? text : paint(process.stdout, cell.style, text)}${filler}`
  })
  return `${cells.join(between)}\n`
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)
