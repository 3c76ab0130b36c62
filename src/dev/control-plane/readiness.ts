import { setTimeout as delay } from 'node:timers/promises'
import type { KeptPrograms } from './kept-programs.ts'
import { startFailure } from './start-failure.ts'

const readyWithin = 60_000
const lookEvery = 50

interface Watched {
  readonly kept: KeptPrograms
  readonly logOf: (program: string) => string
  readonly failureDirectory: string
}

type WaitFor = <T>(program: string, probe: () => Promise<T | undefined>) => Promise<T>

/** Waits until a probe finds something; fails as soon as any program ends, or when the time is up. */
export const waitWhileKept = ({ kept, logOf, failureDirectory }: Watched): WaitFor => {
  let ended: { readonly program: string; readonly how: string } | undefined
  void kept.firstEnd.then((report) => {
    ended = { program: report.ended, how: `ended ${report.how}` }
  })
  return async (program, probe) => {
    const until = performance.now() + readyWithin
    for (;;) {
      const found = await probe()
      if (found !== undefined) return found
      const late = performance.now() > until ? { program, how: 'was not ready within 60 s' } : undefined
      const failed = ended ?? late
      if (failed) throw await startFailure(`${failed.program} ${failed.how}`, logOf(failed.program), failureDirectory)
      await delay(lookEvery)
    }
  }
}
