import { randomBytes } from 'node:crypto'
import { isApiError } from '../kube/api-error.ts'
import type { Sent } from '../kube/client.ts'
import { type Cluster, printRef, type Ref } from '../kube/cluster.ts'
import { type Effect, targetOf } from '../pure/effects.ts'
import { type Kind, Secret } from '../pure/kind.ts'
import { isTerminating, type KubeObject } from '../pure/object.ts'
import type { Step } from '../pure/plan.ts'
import type { Controller } from './controller.ts'
import { SecretValues } from './secret-values.ts'

export interface Performed {
  /** The first thing that went wrong. */
  readonly failure: unknown
  /** Objects that are not what the plan took them for, or may not be: to be read live before the next pass. */
  readonly unsure: readonly Ref[]
}

export interface Performing {
  readonly controller: Controller
  readonly cluster: Cluster
  /** By object: why nothing may be done to it now. */
  readonly withheld: ReadonlyMap<string, unknown>
}

/** Carries out a plan's steps. A failed effect lets its siblings go on; the next step does not start. */
export const perform = async (steps: readonly Step[], performing: Performing): Promise<Performed> => {
  const means = { ...performing, values: new SecretValues(performing.cluster.client) }
  for (const step of steps) {
    const outcomes = await Promise.allSettled(step.map((effect) => carryOut(effect, means)))
    const failed = outcomes.flatMap((outcome, n) =>
      outcome.status === 'rejected' ? [{ reason: outcome.reason as unknown, effect: step[n] }] : [],
    )
    const [first] = failed
    if (first === undefined) continue
    const unsure = failed.flatMap(({ reason, effect }) =>
      effect !== undefined && isApiError(reason, 'conflict', 'gone', 'ambiguous') ? [refOf(effect)] : [],
    )
    return { failure: first.reason, unsure }
  }
  return { failure: undefined, unsure: [] }
}

interface Means extends Performing {
  readonly values: SecretValues
}

const carryOut = async (effect: Effect, { controller, cluster, values, withheld }: Means): Promise<void> => {
  const { client } = cluster
  const ref = printRef(refOf(effect))
  if (withheld.has(ref)) throw withheld.get(ref) as Error
  const saw = (kind: Kind, object: KubeObject) => cluster.saw(kind, object)
  switch (effect.do) {
    case 'create':
      return saw(effect.kind, await client.create(effect.kind, await values.fill(effect.object), controller.name))
    case 'apply': {
      const object = await values.fill(effect.object)
      return saw(effect.kind, await client.apply(effect.kind, object, effect.on, controller.name))
    }
    case 'mark': {
      const marked = await client.mark(effect.kind, effect.key, effect, controller.name)
      return isGone(marked) ? cluster.sawGone(effect, marked.metadata.uid) : saw(effect.kind, marked)
    }
    case 'delete':
      return remove(effect, cluster)
    case 'mint':
      return saw(Secret, await client.create(Secret, mint(effect, controller), controller.name))
    default:
      return effect satisfies never
  }
}

/** The answer to taking the last finalizer off is the object as it was: by then there is none. */
const isGone = (object: KubeObject): boolean => isTerminating(object) && (object.metadata.finalizers ?? []).length === 0

const remove = async (effect: Effect & { do: 'delete' }, cluster: Cluster): Promise<void> => {
  try {
    const left = await cluster.client.delete(effect.kind, effect.key, effect.uid)
    if (left !== undefined) return cluster.saw(effect.kind, left)
  } catch (error) {
    if (!isApiError(error, 'gone')) throw error
  }
  cluster.sawGone(effect, effect.uid)
}

const mint = ({ object, recipe }: Effect & { do: 'mint' }, { recipes, name }: Controller): Sent => {
  const { bytes, make } = recipes[recipe] ?? unknownRecipe(name, recipe)
  const { data, annotations } = make(randomBytes(bytes))
  const encoded = Object.entries(data).map(([field, value]) => [field, Buffer.from(value).toString('base64')] as const)
  const metadata = { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } }
  return { ...object, metadata, data: Object.fromEntries(encoded) }
}

const unknownRecipe = (controller: string, recipe: string): never => {
  throw new Error(`controller ${controller} has no recipe "${recipe}"`)
}

const refOf = (effect: Effect): Ref => ({ kind: effect.do === 'mint' ? Secret : effect.kind, key: targetOf(effect) })
