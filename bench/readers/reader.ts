import type { Kind } from '../../src/pure/kind.ts'

export interface Reader {
  /** Resolves when everything is in. */
  readonly start: () => Promise<void>
  readonly size: () => number
}

export interface Reading {
  readonly kind: Kind
  readonly kubeconfig: string
  readonly extent: 'whole' | 'metadata'
  /** Called with the version of each object that is new or changed. */
  readonly onChange: (version: string | undefined) => void
}
