/**
 * Whether `a` is older than `b`. Versions of one resource are whole numbers of any length without leading zeros
 * (guaranteed since Kubernetes 1.35), so length decides first and spelling second.
 */
export const isOlder = (a: string, b: string): boolean => (a.length === b.length ? a < b : a.length < b.length)
