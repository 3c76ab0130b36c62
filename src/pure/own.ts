/**
 * The value that a record has under a key, never one that it inherits: a key that comes from outside may be called
 * `constructor` or `__proto__`.
 */
export const getOwn = <T>(record: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined =>
  Object.hasOwn(record ?? {}, key) ? record?.[key] : undefined
