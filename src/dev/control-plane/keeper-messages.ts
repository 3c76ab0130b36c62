export interface KeptProgram {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** File that receives everything the program prints. */
  readonly log: string
  readonly cwd?: string
}

/** One line on the keeper's standard input. */
export type KeeperOrder = { readonly remove: string } | { readonly run: KeptProgram }

/** One line on the keeper's standard output. */
export interface KeeperReport {
  readonly ended: string
  /** Completes the sentence "etcd ended …". */
  readonly how: string
  readonly code: number | null
}
