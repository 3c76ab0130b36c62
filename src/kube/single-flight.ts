/** Calls that overlap share one run of the work, and its outcome. */
export const singleFlight = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
