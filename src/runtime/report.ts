import { isDeepStrictEqual } from 'node:util'
import { isApiError, isRead } from '../kube/api-error.ts'
import type { Client } from '../kube/client.ts'
import type { Cluster } from '../kube/cluster.ts'
import { type Condition, type ConditionWish, conditionsOf } from '../pure/conditions.ts'
import type { Effect } from '../pure/effects.ts'
import type { Kind } from '../pure/kind.ts'
import { ownedFieldsOf } from '../pure/managed-fields.ts'
import { type FieldSet, type KubeObject, keyOf, preconditionOf, printKey } from '../pure/object.ts'
import type { StatusWish } from '../pure/plan.ts'
import { printTime } from '../pure/time.ts'
import type { EventRecorder } from './events.ts'
import { printError } from './log.ts'
import { type Notice, noticesOf } from './tell.ts'
import { getOwn } from '../pure/own.ts'

export interface Status {
  readonly conditions?: readonly Condition[]
  readonly [field: string]: unknown
}

export interface WithStatus extends KubeObject {
  readonly status?: Status
}

export interface Reporting {
  readonly cluster: Cluster
  readonly client: Client
  readonly kind: Kind
  readonly manager: string
  readonly now: number
  readonly events: EventRecorder
  /** What was carried out since the last report. */
  readonly done: readonly Effect[]
}

/** Writes the object's status, unless it says all this already, and events of what was done and of a change of Ready. */
export const report = async (object: WithStatus, wish: StatusWish, reporting: Reporting): Promise<void> => {
  const { cluster, client, kind, manager } = reporting
  const status = overdueStatusOf(object, wish, reporting)
  if (status === undefined) return tell(object, undefined, reporting)
  const sent = { metadata: keyOf(object), status }
  const written = await client.applyStatus(kind, sent, preconditionOf(object), manager)
  cluster.onBehalfOf(new Set([printKey(keyOf(object))]), () => cluster.shown(kind, written))
  await tell(object, transitionTo(wish.ready, object), reporting)
}

/** The status that the object should have by now; undefined when it says all this already. */
export const overdueStatusOf = (
  object: WithStatus,
  wish: StatusWish,
  { manager, now }: Pick<Reporting, 'manager' | 'now'>,
): Status | undefined => {
  const generation = object.metadata.generation ?? 0
  const wishes: readonly ConditionWish[] = [{ type: 'Ready', ...wish.ready }, ...wish.others]
  const conditions = conditionsOf(wishes, object.status?.conditions ?? [], { generation, now: printTime(now) })
  const status = { ...withoutUndefined(wish.fields), observedGeneration: generation, conditions }
  const owned = ownedFieldsOf(object.metadata.managedFields, manager, 'status')['f:status'] ?? {}
  return saysAlready(object.status ?? {}, status) && !hasMore(owned, status) ? undefined : status
}

const tell = async (
  object: WithStatus,
  transition: Notice | undefined,
  { client, kind, manager, events, done }: Reporting,
): Promise<void> => {
  const about = { kind, key: keyOf(object), uid: object.metadata.uid }
  for (const notice of noticesOf(done, transition)) {
    await events.tell(client, manager, { do: 'event', ...about, ...notice })
  }
}

/** Undefined when Ready was the same before, for the same reason. */
const transitionTo = (ready: StatusWish['ready'], { status }: WithStatus): Notice | undefined => {
  const before = status?.conditions?.find(({ type }) => type === 'Ready')
  if (before?.status === ready.status && before.reason === ready.reason) return undefined
  return { type: ready.status === 'True' ? 'Normal' : 'Warning', reason: ready.reason, note: ready.message }
}

/** What others say in the same status does not matter. */
const saysAlready = (live: Status, { conditions, ...wished }: Status): boolean =>
  Object.entries(wished).every(([field, value]) => isDeepStrictEqual(getOwn(live, field), value)) &&
  (conditions ?? []).every((condition) => live.conditions?.some((other) => isDeepStrictEqual(other, condition)))

/** Whether we once said something that we no longer say. */
const hasMore = (owned: FieldSet, wished: Status): boolean => {
  const said = new Set((wished.conditions ?? []).map(({ type }) => `k:${JSON.stringify({ type })}`))
  const conditions = Object.keys(owned['f:conditions'] ?? {}).filter((step) => step.startsWith('k:'))
  return (
    Object.keys(owned).some((step) => step.startsWith('f:') && !Object.hasOwn(wished, step.slice(2))) ||
    conditions.some((step) => !said.has(step))
  )
}

/** What the status says of a pass that could not finish. */
export const whenFailed = (wish: StatusWish, failure: unknown): StatusWish => ({
  ...wish,
  fields: { ...wish.fields, ...wish.fieldsWhenFailed },
  ready: { status: 'False', reason: reasonOf(failure), message: printError(failure) },
})

/**
 * Says that a reconcile failed before it could decide anything. All else that the status says stays as it is, with the
 * generation that it speaks of.
 */
export const reportUndecided = async (
  object: WithStatus,
  failure: unknown,
  { fieldsWhenFailed, ...reporting }: Reporting & { readonly fieldsWhenFailed: Status },
): Promise<void> => {
  const { cluster, client, kind, manager, now } = reporting
  const { conditions: said = [], ...fields } = object.status ?? {}
  const ready = { status: 'False', reason: reasonOf(failure), message: printError(failure) } as const
  const generation = object.metadata.generation ?? 0
  const [condition] = conditionsOf([{ type: 'Ready', ...ready }], said, { generation, now: printTime(now) })
  const others = said.filter(({ type }) => type !== 'Ready')
  const conditions = [...(condition ? [condition] : []), ...others]
  const status = { ...fields, ...fieldsWhenFailed, conditions }
  if (isDeepStrictEqual(status, object.status)) return
  const sent = { metadata: keyOf(object), status }
  const written = await client.applyStatus(kind, sent, preconditionOf(object), manager)
  cluster.onBehalfOf(new Set([printKey(keyOf(object))]), () => cluster.shown(kind, written))
  await tell(object, transitionTo(ready, object), reporting)
}

const reasonOf = (failure: unknown): string => {
  if (!isApiError(failure)) return 'PassFailed'
  return isRead(failure.asked) ? 'ReadFailed' : 'WriteFailed'
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
