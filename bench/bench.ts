import type { ControlPlane } from '../src/dev/control-plane/control-plane.ts'

export interface Setting {
  /** Starts the local control plane, once. */
  readonly controlPlane: () => Promise<ControlPlane>
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  /** How often everything is measured; what is printed is the median. */
  readonly rounds: number
  readonly agents: number
  readonly minutes: number
}

export interface Outcome {
  readonly tables: readonly string[]
  /** What was found wrong: a bench that measures nonsense must not look well. */
  readonly faults?: readonly string[]
}

export type Bench = (setting: Setting) => Promise<Outcome>
