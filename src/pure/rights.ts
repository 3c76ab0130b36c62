import type { Kind } from './kind.ts'

/** What the API server lets somebody do, in its own words. */
export type RightVerb = 'get' | 'list' | 'watch' | 'create' | 'patch' | 'delete'

/** One thing that a controller does to the cluster. What is not declared is not granted, and not tried. */
export interface Right {
  readonly kind: Kind
  readonly subresource?: 'status'
  readonly verbs: readonly RightVerb[]
  /**
   * `cluster`: a cluster-scoped kind. `watched`: in every namespace that the operator watches. `own`: in the namespace
   * that it runs in. A namespace: there, whatever the operator watches.
   */
  readonly where: 'cluster' | 'watched' | 'own' | { readonly namespace: string }
  /** Only the objects of these names; absent: all of them. */
  readonly names?: readonly string[]
}
