import { agentHeader, agentRow } from './agent-row.ts'
import type { Change } from './follow.ts'
import type { Format } from './format.ts'
import { printName, printValue, withoutNoise } from './output.ts'
import { printRow, type Row, widthsOf } from './table.ts'

/** Prints changes as they come: a row each, or a document each. */
export const changePrinter = (format: Format, now: () => number): ((changes: readonly Change[]) => string) => {
  let widths: readonly number[] | undefined
  return (changes) => {
    if (format !== 'table') return changes.map((change) => printChange(change, format)).join('')
    const rows = changes.map((change) => rowOf(change, now()))
    const shown = widths === undefined ? [agentHeader, ...rows] : rows
    // Set by what there was at first: what was printed already cannot be moved.
    widths ??= widthsOf(shown)
    return shown.map((row) => printRow(row, widths ?? [])).join('')
  }
}

const rowOf = ({ type, object }: Change, now: number): Row => {
  const row = agentRow(object, now)
  return type === 'DELETED' ? row.with(agentHeader.indexOf('PHASE'), 'Deleted') : row
}

const printChange = ({ type, object }: Change, format: Exclude<Format, 'table'>): string => {
  const event = { type, object: withoutNoise(object) }
  if (format === 'json') return `${JSON.stringify(event)}\n`
  return format === 'yaml' ? `---\n${printValue(event, 'yaml')}` : `${printName(object.metadata.name)}\n`
}
