/** The shortest of three runs in milliseconds, after one that warms up: a loaded machine does not count. */
export const bestTimeOf = async (run: () => unknown): Promise<number> => {
  await run()
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    await run()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
