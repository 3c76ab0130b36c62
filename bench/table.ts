/** Rows of cells, the first of them the head, as a Markdown table. */
export const table = ([head = [], ...rows]: readonly (readonly string[])[]): string => {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export const print = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '–'

export const median = (values: readonly (number | undefined)[]): number | undefined => {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

export const ratio = (value: number | undefined, to: number | undefined): number | undefined =>
  value === undefined || to === undefined || to === 0 ? undefined : value / to
