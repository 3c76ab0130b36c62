import type { Effect } from '../../pure/effects.ts'
import { apiVersionOf, Secret } from '../../pure/kind.ts'
import type { KubeObject } from '../../pure/object.ts'
import type { Controller } from '../../runtime/controller.ts'
import type { Foreseen, ForeseenPass, Outlook } from '../../runtime/foresee.ts'
import { refOf } from '../../runtime/perform.ts'
import { type Change, changesByApply, changesByMarks } from './changes.ts'
import { maskedManifest } from './masked.ts'
import { type PlannedPods, plannedPods } from './planned-pods.ts'
import { changesInStatus } from './status-changes.ts'

export interface PlannedEffect {
  readonly do: Effect['do']
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  /** Of a delete. */
  readonly uid?: string
  /** Of a create or mint: the object, without its secrets. */
  readonly object?: Readonly<Record<string, unknown>>
  /** Of an apply or mark. */
  readonly changes?: readonly Change[]
  /** Of a create or apply of what makes pods. */
  readonly pods?: PlannedPods
  /** Of an event. */
  readonly note?: string
}

/** What one pass would do. */
export interface PlannedPass {
  readonly stage: string
  readonly ready?: { readonly status: string; readonly reason: string; readonly message: string }
  readonly remark?: string
  /** What people should know before this is done. */
  readonly notices?: readonly string[]
  /** In order; the effects of a step do not depend on each other. Steps with nothing in them are left out. */
  readonly steps: readonly (readonly PlannedEffect[])[]
  /** What would be changed in its status when there is nothing else to do. */
  readonly statusChanges: readonly Change[]
}

/** What the next pass would do about an object, and those after it. */
export interface PlannedObject extends PlannedPass {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  /** In order, as far as it can be told before the next pass is done. What a pass before has shown is left out. */
  readonly then: readonly PlannedPass[]
}

/** A plan as it is printed. Nothing secret is in it. */
export interface PlanDocument {
  readonly operatorNamespace: string
  readonly objects: readonly PlannedObject[]
  /** Kinds that the operator waits for. */
  readonly waiting: readonly { readonly kind: string; readonly why: string }[]
  readonly summary: { readonly objects: number; readonly withChanges: number; readonly effects: number }
}

export const documentOf = ({ foreseen, obstacles }: Outlook, operatorNamespace: string): PlanDocument => {
  const objects = foreseen.map(plannedObject).sort((one, other) => compare(sortKeyOf(one), sortKeyOf(other)))
  return {
    operatorNamespace,
    objects,
    waiting: [...obstacles].map(([{ reconciles }, why]) => ({ kind: reconciles.kind, why })),
    summary: {
      objects: objects.length,
      withChanges: objects.filter(hasChanges).length,
      effects: objects.flatMap(passesOf).flatMap(({ steps }) => steps.flat()).length,
    },
  }
}

/** The next pass and those after it. */
const passesOf = (object: PlannedObject): readonly PlannedPass[] => [object, ...object.then]

export const hasChanges = (object: PlannedObject): boolean =>
  passesOf(object).some(({ steps, statusChanges }) => steps.length > 0 || statusChanges.length > 0)

const sortKeyOf = ({ kind, apiVersion, namespace = '', name }: PlannedObject) => [kind, apiVersion, namespace, name]

const compare = (one: readonly string[], other: readonly string[]): number => {
  const index = one.findIndex((word, n) => word !== other[n])
  return index === -1 ? 0 : (one[index] ?? '') < (other[index] ?? '') ? -1 : 1
}

const plannedObject = (foreseen: Foreseen): PlannedObject => {
  const { controller, object, then } = foreseen
  const { namespace, name } = object.metadata
  return {
    apiVersion: apiVersionOf(controller.reconciles),
    kind: controller.reconciles.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...plannedPass(foreseen, controller),
    then: then.map((pass) => plannedPass(pass, controller)),
  }
}

const plannedPass = ({ object, plan, live, status }: ForeseenPass, controller: Controller): PlannedPass => {
  const { ready } = plan.status ?? {}
  return {
    stage: plan.stage,
    ...(ready && { ready: { status: ready.status, reason: ready.reason, message: ready.message } }),
    ...(plan.remark === undefined ? {} : { remark: plan.remark }),
    ...(plan.notices === undefined ? {} : { notices: plan.notices }),
    steps: plan.steps
      .filter((step) => step.length > 0)
      .map((step) => step.map((effect) => plannedEffect(effect, live.get(effect), controller))),
    statusChanges: status === undefined ? [] : changesInStatus(object, status, controller.name),
  }
}

const plannedEffect = (effect: Effect, live: KubeObject | undefined, { name: manager }: Controller): PlannedEffect => {
  const { kind, key } = refOf(effect)
  const { namespace, name } = key
  const about = { do: effect.do, kind: kind.kind, ...(namespace === undefined ? {} : { namespace }), name }
  switch (effect.do) {
    case 'create':
      return { ...about, object: maskedManifest(effect.kind, effect.object), ...podsOf(effect.object, live, manager) }
    case 'mint':
      return { ...about, object: maskedManifest(Secret, effect.object) }
    case 'apply':
      return {
        ...about,
        ...podsOf(effect.object, live, manager),
        changes: live === undefined ? [] : changesByApply(effect, live, manager),
      }
    case 'mark':
      return { ...about, changes: changesByMarks(effect.set, live?.metadata) }
    case 'delete':
      return { ...about, uid: effect.uid }
    case 'event':
      return { ...about, note: `${effect.reason}: ${effect.note}` }
    default:
      return effect satisfies never
  }
}

const podsOf = (...args: Parameters<typeof plannedPods>): Pick<PlannedEffect, 'pods'> => {
  const pods = plannedPods(...args)
  return pods === undefined ? {} : { pods }
}
