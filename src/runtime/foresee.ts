import type { Clock } from '../kube/clock.ts'
import type { Port } from '../kube/port.ts'
import type { Effect } from '../pure/effects.ts'
import type { KubeObject } from '../pure/object.ts'
import { isSettled, type Plan } from '../pure/plan.ts'
import type { Scope } from '../pure/scope.ts'
import type { Attachment } from './attachment.ts'
import type { Controller } from './controller.ts'
import type { Considered } from './loop.ts'
import { noMeter } from './meter.ts'
import { Operator } from './operator.ts'
import { refOf } from './perform.ts'
import { raised } from './raised.ts'
import { overdueStatusOf, type Status, type WithStatus } from './report.ts'
import { readingRightsOf } from './rights.ts'

export interface Foresight {
  readonly port: Port
  readonly clock: Clock
  readonly scope: Scope
  readonly controllers: readonly Controller[]
  /** Whether a controller's object is asked for. */
  readonly isAskedFor: (key: string) => boolean
}

/** What an operator would do about one object now. */
export interface Foreseen {
  readonly controller: Controller
  readonly object: WithStatus
  readonly plan: Plan
  /** The object that an effect is about, as it is in view. */
  readonly live: ReadonlyMap<Effect, KubeObject | undefined>
  /** What the status would be made to say; undefined when it would not be written in this pass. */
  readonly status: Status | undefined
}

export interface Outlook {
  readonly foreseen: readonly Foreseen[]
  /** Why controllers could not look at anything. */
  readonly obstacles: ReadonlyMap<Controller, string>
}

const silence = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Runs an operator that never leads, and that has no right to write, until it has seen everything; asks it what its
 * passes would decide; and ends it. What an operator would retry for hours ends this with an error.
 */
export const foresee = async (foresight: Foresight): Promise<Outlook> => {
  const { port, clock, scope, controllers } = foresight
  const trouble = Promise.withResolvers<never>()
  const operator = new Operator({
    port,
    clock,
    scope,
    controllers,
    rights: readingRightsOf(controllers),
    log: silence,
    meter: noMeter,
    instance: 'plan',
    onTrouble: trouble.reject,
    whenLeading: (_, stop) => raised(stop),
  })
  try {
    return await Promise.race([look(operator, foresight), trouble.promise, collapseOf(operator)])
  } finally {
    operator.abandon()
  }
}

const collapseOf = async (operator: Operator): Promise<never> => {
  throw await operator.collapsed
}

const look = async (operator: Operator, foresight: Foresight): Promise<Outlook> => {
  await operator.start()
  const outlooks = await Promise.all(operator.attachments.map((attachment) => lookAtAll(attachment, foresight)))
  return { foreseen: outlooks.flat(), obstacles: operator.obstacles }
}

/** No more at once than the operator would: what waits for a connection for long is taken for unreadable. */
const lookAtAll = async (attachment: Attachment, { isAskedFor, clock }: Foresight): Promise<readonly Foreseen[]> => {
  const waiting = attachment.keys.filter(isAskedFor)
  const foreseen: Foreseen[] = []
  const work = async () => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const one = await lookAt(attachment, key, clock.now())
      if (one !== undefined) foreseen.push(one)
    }
  }
  await Promise.all(Array.from({ length: attachment.controller.concurrency }, work))
  return foreseen
}

const lookAt = async (attachment: Attachment, key: string, now: number): Promise<Foreseen | undefined> => {
  const considered = await considerTwice(attachment, key)
  if (considered === undefined) return undefined
  const { controller } = attachment
  const { plan, observed } = considered
  const { object } = observed
  return {
    controller,
    object,
    plan,
    live: new Map(plan.steps.flat().map((effect) => [effect, attachment.look(refOf(effect))])),
    status:
      plan.status !== undefined && isSettled(plan)
        ? overdueStatusOf(object, plan.status, { manager: controller.name, now })
        : undefined,
  }
}

/**
 * A name may be taken by an object that is outside every view. The API server would refuse to create another, and the
 * operator would then look there and decide anew: here it looks first.
 */
const considerTwice = async (attachment: Attachment, key: string): Promise<Considered | undefined> => {
  const considered = await attachment.consider(key)
  const effects = considered?.plan.steps.flat() ?? []
  const born = effects.filter((effect) => effect.do === 'create' || effect.do === 'mint').map(refOf)
  await Promise.all(born.map((ref) => attachment.refresh(key, ref)))
  return born.some((ref) => attachment.look(ref) !== undefined) ? attachment.consider(key) : considered
}
