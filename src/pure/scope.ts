/** Where an operator works: the namespace that it runs in, and those that it watches. */
export interface Scope {
  readonly own: string
  readonly watched: 'all' | readonly string[]
}
