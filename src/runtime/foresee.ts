import { isDeepStrictEqual } from 'node:util'
import { AssumedMarks } from '../kube/assumed-marks.ts'
import type { Clock } from '../kube/clock.ts'
import type { Ref } from '../kube/cluster.ts'
import type { Port } from '../kube/port.ts'
import type { Assumptions } from '../kube/reads.ts'
import { seconds } from '../pure/duration.ts'
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

/** What one pass would do about one object. */
export interface ForeseenPass {
  readonly object: WithStatus
  readonly plan: Plan
  /** The object that an effect is about, as the pass sees it. */
  readonly live: ReadonlyMap<Effect, KubeObject | undefined>
  /** What the status would be made to say; undefined when it would not be written in this pass. */
  readonly status: Status | undefined
}

/** What an operator would do about one object now. */
export interface Foreseen extends ForeseenPass {
  readonly controller: Controller
  /** What the passes after it would do besides, as far as that follows from the marks that the passes before have made. */
  readonly then: readonly ForeseenPass[]
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
  const first = await considerPass(attachment, key, { now, marks: new AssumedMarks() })
  if (first === undefined) return undefined
  return { ...first, controller: attachment.controller, then: await passesAfter(first, attachment, key, now) }
}

type Assumed = Required<Assumptions>

// A takeover needs three after the claim, or one more where a change of keys is debounced.
const mostFurtherPasses = 6
// What waits for less is only debounced, and not left for another time.
const soon = seconds(5)

/**
 * A mark changes nothing that its object does, but what the next pass decides: a claim, or fields that become ours. So
 * the next pass can be told before there is one: it sees the objects with their marks. Of what else would have been
 * written it sees nothing yet, and would do it again: that is left out.
 */
const passesAfter = async (
  first: ForeseenPass,
  attachment: Attachment,
  key: string,
  now: number,
): Promise<readonly ForeseenPass[]> => {
  const passes: ForeseenPass[] = []
  const known: Effect[] = first.plan.steps.flat()
  let assumed = afterPass(first.plan, { now, marks: new AssumedMarks() })
  for (let count = 0; assumed !== undefined && count < mostFurtherPasses; count += 1) {
    const pass = await considerPass(attachment, key, assumed)
    if (pass === undefined) break
    const fresh = pass.plan.steps.map((step) => step.filter((effect) => !isAmong(known, effect)))
    if (fresh.flat().length > 0 || pass.status !== undefined)
      passes.push({ ...pass, plan: { ...pass.plan, steps: fresh } })
    assumed = afterPass({ ...pass.plan, steps: fresh }, assumed)
    known.push(...fresh.flat())
  }
  return passes
}

/** What the pass after this one can be told to see; undefined when nothing that could be told is new. */
const afterPass = ({ steps, lookAgain }: Plan, { now, marks }: Assumed): Assumed | undefined => {
  const made = steps.flat().filter((effect) => effect.do === 'mark')
  const pause = lookAgain === 'on-change' || lookAgain.after > soon ? undefined : lookAgain.after
  if (made.length === 0 && pause === undefined) return undefined
  return {
    now: now + (pause ?? 0),
    marks: made.reduce((all, effect) => all.with(refOf(effect), effect.set), marks),
  }
}

const isAmong = (known: readonly Effect[], effect: Effect): boolean =>
  known.some((other) => isDeepStrictEqual(other, effect))

const considerPass = async (
  attachment: Attachment,
  key: string,
  assumed: Assumed,
): Promise<ForeseenPass | undefined> => {
  const considered = await considerTwice(attachment, key, assumed)
  if (considered === undefined) return undefined
  const { name: manager } = attachment.controller
  const { plan, observed } = considered
  const { object } = observed
  const seen = (ref: Ref): KubeObject | undefined => {
    const live = attachment.look(ref)
    return live && assumed.marks.applyTo(ref.kind, live)
  }
  return {
    object,
    plan,
    live: new Map(plan.steps.flat().map((effect) => [effect, seen(refOf(effect))])),
    status:
      plan.status !== undefined && isSettled(plan)
        ? overdueStatusOf(object, plan.status, { manager, now: assumed.now })
        : undefined,
  }
}

/**
 * A name may be taken by an object that is outside every view. The API server would refuse to create another, and the
 * operator would then look there and decide anew: here it looks first.
 */
const considerTwice = async (
  attachment: Attachment,
  key: string,
  assumed: Assumed,
): Promise<Considered | undefined> => {
  const considered = await attachment.consider(key, assumed)
  const effects = considered?.plan.steps.flat() ?? []
  const born = effects.filter((effect) => effect.do === 'create' || effect.do === 'mint').map(refOf)
  await Promise.all(born.map((ref) => attachment.refresh(key, ref)))
  return born.some((ref) => attachment.look(ref) !== undefined) ? attachment.consider(key, assumed) : considered
}
