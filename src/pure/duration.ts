/** A span of time in milliseconds; made only by the functions below, so that no bare number passes for one. */
export type Duration = number & { readonly unit: 'ms' }

export const milliseconds = (n: number): Duration => n as Duration
export const seconds = (n: number): Duration => milliseconds(n * 1000)
export const minutes = (n: number): Duration => seconds(n * 60)
