/** Where an operator works. */
export interface Scope {
  /** The namespace that it runs in, and keeps its keys in. */
  readonly own: string
  /** The namespaces that it serves. */
  readonly watched: 'all' | readonly string[]
}
