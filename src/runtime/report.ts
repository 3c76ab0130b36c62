import { isDeepStrictEqual } from 'node:util'
import { isApiError, isRead } from '../kube/api-error.ts'
import type { Cluster } from '../kube/cluster.ts'
import { type Condition, type ConditionWish, conditionsOf } from '../pure/conditions.ts'
import type { Kind } from '../pure/kind.ts'
import { ownedFieldsOf } from '../pure/managed-fields.ts'
import { type FieldSet, type KubeObject, keyOf, preconditionOf, printKey } from '../pure/object.ts'
import type { StatusWish } from '../pure/plan.ts'
import { printError } from './log.ts'

interface Status {
  readonly conditions?: readonly Condition[]
  readonly [field: string]: unknown
}

interface WithStatus extends KubeObject {
  readonly status?: Status
}

export interface Reporting {
  readonly kind: Kind
  readonly manager: string
  readonly now: number
}

/** Writes the object's status, unless it says all this already. */
export const report = async (
  cluster: Cluster,
  object: WithStatus,
  wish: StatusWish,
  { kind, manager, now }: Reporting,
): Promise<void> => {
  const generation = object.metadata.generation ?? 0
  const wishes: readonly ConditionWish[] = [{ type: 'Ready', ...wish.ready }, ...wish.others]
  const at = new Date(Math.floor(now / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  const conditions = conditionsOf(wishes, object.status?.conditions ?? [], { generation, now: at })
  const status = { ...withoutUndefined(wish.fields), observedGeneration: generation, conditions }
  const owned = ownedFieldsOf(object.metadata.managedFields, manager, 'status')['f:status'] ?? {}
  if (saysAlready(object.status ?? {}, status) && !hasMore(owned, status)) return
  const sent = { metadata: keyOf(object), status }
  const written = await cluster.client.applyStatus(kind, sent, preconditionOf(object), manager)
  cluster.onBehalfOf(printKey(keyOf(object)), () => cluster.shown(kind, written))
}

/** What others say in the same status does not matter. */
const saysAlready = (live: Status, { conditions, ...wished }: Status): boolean =>
  Object.entries(wished).every(([field, value]) => isDeepStrictEqual(live[field], value)) &&
  (conditions ?? []).every((condition) => live.conditions?.some((other) => isDeepStrictEqual(other, condition)))

/** Whether we once said something that we no longer say. */
const hasMore = (owned: FieldSet, wished: Status): boolean =>
  Object.keys(owned).some((step) => step.startsWith('f:') && !(step.slice(2) in wished))

/** What the status says of a pass that could not finish. */
export const whenFailed = (wish: StatusWish, failure: unknown): StatusWish => ({
  ...wish,
  fields: { ...wish.fields, ...wish.fieldsWhenFailed },
  ready: { status: 'False', reason: reasonOf(failure), message: printError(failure) },
})

const reasonOf = (failure: unknown): string => {
  if (!isApiError(failure)) return 'PassFailed'
  return isRead(failure.asked) ? 'ReadFailed' : 'WriteFailed'
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
