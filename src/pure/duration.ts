/** A span of time in milliseconds; made only by the functions below, so that no bare number passes for one. */
export type Duration = number & { readonly unit: 'ms' }

export const milliseconds = (n: number): Duration => n as Duration
export const seconds = (n: number): Duration => milliseconds(n * 1000)
export const minutes = (n: number): Duration => seconds(n * 60)
const hours = (n: number): Duration => minutes(n * 60)
export const days = (n: number): Duration => hours(n * 24)

/** How many characters a span may have; the CRDs say the same. */
export const longestSpan = 40

const units = { d: days, h: hours, m: minutes, s: seconds } as const

/** A span such as 90d or 1h30m, as the API server lets it pass; undefined when it is none. */
export const spanOf = (text: string): Duration | undefined => {
  if (text.length > longestSpan || !/^(\d+[dhms])+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+)([dhms])/g)]
  return milliseconds(parts.reduce((sum, [, n, unit]) => sum + units[unit as keyof typeof units](Number(n)), 0))
}
