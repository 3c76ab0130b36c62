import { randomBytes } from 'node:crypto'
import { isApiError } from '../kube/api-error.ts'
import type { Client, Sent } from '../kube/client.ts'
import { type Asker, type Cluster, printRef, type Ref } from '../kube/cluster.ts'
import type { Written } from '../kube/reads.ts'
import { type Effect, kindOf, targetOf } from '../pure/effects.ts'
import { type Kind, Secret } from '../pure/kind.ts'
import { isTerminating, type KubeObject } from '../pure/object.ts'
import type { Step } from '../pure/plan.ts'
import { revealToWire } from '../pure/secret-text.ts'
import { TerminalError } from '../pure/terminal-error.ts'
import type { Controller } from './controller.ts'
import type { EventRecorder } from './events.ts'
import type { Meter } from './meter.ts'
import { SecretValues } from './secret-values.ts'
import { getOwn } from '../pure/own.ts'

export interface Performed {
  /** The first thing that went wrong. */
  readonly failure: unknown
  /** Objects that are not what the plan took them for, or may not be: to be read live before the next pass. */
  readonly unsure: readonly Ref[]
  /** The effects that were carried out. */
  readonly done: readonly Effect[]
  /** The versions that the API server answered with. */
  readonly written: Written
}

export interface Performing {
  readonly asker: Asker
  readonly controller: Controller
  readonly cluster: Cluster
  readonly events: EventRecorder
  readonly meter: Meter
  /** By object: why nothing may be done to it now. */
  readonly withheld: ReadonlyMap<string, unknown>
}

/**
 * Carries out a plan's steps. A failed effect lets its siblings go on; the next step does not start, unless it does not
 * need that effect. Nor does it after a delete that a finalizer holds up: what comes next may rely on the object being gone.
 */
export const perform = async (steps: readonly Step[], performing: Performing): Promise<Performed> => {
  const written = new Map<string, string>()
  const means = { ...performing, values: new SecretValues(performing.asker.client), written }
  const allFailed: Failed[] = []
  const done: Effect[] = []
  for (const step of steps) {
    const outcomes = await Promise.allSettled(step.map((effect) => carryOut(effect, means)))
    done.push(...step.filter((_, n) => outcomes[n]?.status === 'fulfilled'))
    const ended = step.map((effect, n) => ({ effect, outcome: outcomes[n] }))
    allFailed.push(
      ...ended.flatMap(({ effect, outcome }) =>
        outcome?.status === 'rejected' ? [{ reason: outcome.reason as unknown, effect }] : [],
      ),
    )
    const isHeldUp = ended.some(({ effect, outcome }) => !isIndependent(effect) && !isDone(outcome))
    if (isHeldUp) break
  }
  // A conflict only means that we must look again: what else went wrong is what people need to know.
  const first = allFailed.find(({ reason }) => !isApiError(reason, 'conflict', 'terminating')) ?? allFailed[0]
  const unsure = allFailed.flatMap(({ reason, effect }) => unsureAfter(reason, effect))
  return { failure: first?.reason, unsure, done, written }
}

interface Failed {
  readonly reason: unknown
  readonly effect: Effect
}

const isIndependent = (effect: Effect): boolean => effect.do === 'event' || effect.isIndependent === true

const isDone = (outcome: PromiseSettledResult<'done' | 'held'> | undefined): boolean =>
  outcome?.status === 'fulfilled' && outcome.value === 'done'

/** The object that the effect was for, and the one that the error is about: a source may have changed too. */
const unsureAfter = (reason: unknown, effect: Effect): readonly Ref[] => {
  if (!isApiError(reason, 'conflict', 'gone', 'ambiguous')) return []
  const { kind, key } = reason.asked
  const target = refOf(effect)
  const isAboutTarget = key === undefined || printRef({ kind, key }) === printRef(target)
  return isAboutTarget ? [target] : [target, { kind, key }]
}

interface Means extends Performing {
  readonly values: SecretValues
  readonly written: Map<string, string>
}

const carryOut = async (effect: Effect, means: Means): Promise<'done' | 'held'> => {
  const { controller, cluster, values, withheld, meter } = means
  const { request, client } = means.asker
  const ref = printRef(refOf(effect))
  if (withheld.has(ref)) throw withheld.get(ref) as Error
  const takeIn = (change: () => void): 'done' => {
    cluster.onBehalfOf(new Set([request]), change)
    return 'done'
  }
  const shown = (kind: Kind, object: KubeObject) => {
    means.written.set(ref, object.metadata.resourceVersion)
    return takeIn(() => cluster.shown(kind, object))
  }
  const gone = (uid: string) => takeIn(() => cluster.gone(refOf(effect), uid))
  switch (effect.do) {
    case 'create':
      return shown(effect.kind, await client.create(effect.kind, await values.fill(effect.object), controller.name))
    case 'apply': {
      const object = await values.fill(effect.object)
      const applied = await client.apply(effect.kind, object, effect.on, controller.name)
      meter.repaired(effect.kind)
      return shown(effect.kind, applied)
    }
    case 'mark': {
      const marked = await client.mark(effect.kind, effect.key, effect, controller.name)
      return isGone(marked) ? gone(marked.metadata.uid) : shown(effect.kind, marked)
    }
    case 'delete': {
      const left = await remove(effect, client)
      if (left === undefined) return gone(effect.uid)
      shown(effect.kind, left)
      return 'held'
    }
    case 'mint':
      return shown(Secret, await client.create(Secret, mint(effect, controller), controller.name))
    case 'event':
      await means.events.tell(client, controller.name, effect)
      return 'done'
    default:
      return effect satisfies never
  }
}

/** The answer to taking the last finalizer off is the object as it was: by then there is none. */
const isGone = (object: KubeObject): boolean => isTerminating(object) && (object.metadata.finalizers ?? []).length === 0

/** What is left of the object for now; undefined when it is gone, whoever did it. */
const remove = async (effect: Effect & { do: 'delete' }, client: Client): Promise<KubeObject | undefined> => {
  try {
    return await client.delete(effect.kind, effect.key, effect.uid, effect.resourceVersion)
  } catch (error) {
    if (isApiError(error, 'gone')) return undefined
    throw error
  }
}

const mint = ({ object, recipe }: Effect & { do: 'mint' }, { recipes, name }: Controller): Sent => {
  const { bytes, make } = getOwn(recipes, recipe) ?? unknownRecipe(name, recipe)
  const { data, annotations } = make(randomBytes(bytes))
  const metadata = { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } }
  return { ...object, metadata, data: revealToWire(data) }
}

const unknownRecipe = (controller: string, recipe: string): never => {
  throw new TerminalError(`controller ${controller} has no recipe "${recipe}"`)
}

/** The object that an effect is about. */
export const refOf = (effect: Effect): Ref => ({ kind: kindOf(effect), key: targetOf(effect) })
