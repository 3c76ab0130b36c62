/** A map or list, unless nothing is in it: to own an empty one means to fight whoever puts something there. */
export const unlessEmpty = <T extends object>(value: T | undefined): T | undefined =>
  value === undefined || Object.keys(value).length === 0 ? undefined : value
