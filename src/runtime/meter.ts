import type { Kind } from '../pure/kind.ts'
import type { Outcome } from './outcome.ts'

/** Where the runtime says what is worth counting. */
export interface Meter {
  /** A pass has ended; `time` in milliseconds. */
  passed(controller: string, outcome: Outcome['is'], time: number): void
  /** An object of this kind was not as it should be, and was put right. */
  repaired(kind: Kind): void
}

/** Where nobody counts. */
export const noMeter: Meter = { passed: () => undefined, repaired: () => undefined }
