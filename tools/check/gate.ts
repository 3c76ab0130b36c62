import type { Tree } from './tree.ts'

/** What a gate says about a tree. The runner, not the gate, decides whether `examined` is plausible. */
export interface Finding {
  readonly examined: number
  readonly unit: string
  readonly faults: readonly string[]
}

/** One check of `make check`. A gate throws only when its tool could not do its work. */
export interface Gate {
  readonly name: string
  /** The least that `examined` may be: a tool that skipped the sources must not pass for one that liked them. */
  floor(tree: Tree): number
  examine(tree: Tree): Promise<Finding>
}
