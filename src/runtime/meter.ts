import type { ApiErrorClass, Asked } from '../kube/api-error.ts'
import type { Kind } from '../pure/kind.ts'
import type { Outcome } from './outcome.ts'

export type RequestVerb = Asked['verb'] | 'applyStatus'

/** `other`: it failed for no reason that the API server gave, as when it was called off. */
export type RequestOutcome = 'ok' | ApiErrorClass | 'other'

/** Where the runtime says what is worth counting. */
export interface Meter {
  /** A pass has ended; `time` in milliseconds. */
  passed(controller: string, outcome: Outcome['is'], time: number): void
  /** An object of this kind was not as it should be, and was put right. */
  repaired(kind: Kind): void
  /** The API server was asked for something; of a watch, only its beginning counts. */
  requested(verb: RequestVerb, kind: Kind, outcome: RequestOutcome): void
}

/** Where nobody counts. */
export const noMeter: Meter = { passed: () => undefined, repaired: () => undefined, requested: () => undefined }
