import type { View } from '../kube/view.ts'
import type { Reads } from '../kube/reads.ts'
import type { Kind } from '../pure/kind.ts'
import type { KubeObject } from '../pure/object.ts'
import type { Plan } from '../pure/plan.ts'
import type { Right } from '../pure/rights.ts'
import type { SecretText } from '../pure/secret-text.ts'

/** A kind that a controller keeps in view, and whose passes a change of one of its objects asks for. */
export interface Watched {
  readonly view: View
  readonly requests: (object: KubeObject, cluster: Pick<Reads, 'find' | 'list'>) => readonly string[]
}

/** How random bytes become the content of a new Secret. The values are plain text; annotations must tell nothing of them. */
export interface Recipe {
  readonly bytes: number
  readonly make: (bytes: Uint8Array) => {
    readonly data: Readonly<Record<string, string | SecretText>>
    readonly annotations: Readonly<Record<string, string>>
  }
}

/** What a pass has seen; what else is in it is the controller's own affair. */
export interface Observation {
  readonly object: KubeObject
}

/** Everything that one kind's controller is: what it looks at and how it decides. The runtime does the rest alike for all. */
export interface Controller<Observed extends Observation = Observation> {
  /** Also the name of its field manager. */
  readonly name: string
  readonly reconciles: Kind
  readonly watches: readonly Watched[]
  /** How many of its objects are worked on at once. */
  readonly concurrency: number
  readonly recipes: Readonly<Record<string, Recipe>>
  /** What the status says besides its conditions when a reconcile could not even decide. */
  readonly fieldsWhenFailed: Readonly<Record<string, unknown>>
  /** Everything that its passes and its views do to the cluster. */
  readonly rights: readonly Right[]
  /** Undefined when there is nothing of that name. */
  observe(name: string, reads: Reads): Promise<Observed | undefined>
  /** Pure. */
  decide(observed: Observed): Plan
}
