/** A time as Kubernetes prints it: in UTC, to the second. */
export const printTime = (milliseconds: number): string =>
  new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().replace('.000Z', 'Z')
