export const formats = ['table', 'json', 'yaml', 'name'] as const

/** How a result is printed. */
export type Format = (typeof formats)[number]
