import { setTimeout as delay } from 'node:timers/promises'

/** Looks until `probe` finds something; fails after ten seconds, naming what was waited for. */
export const eventually = async <T>(what: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const until = performance.now() + 10_000
  while (performance.now() < until) {
    const found = await probe()
    if (found !== undefined) return found
    await delay(20)
  }
  throw new Error(`waited 10 s in vain for ${what}`)
}
