import type { Condition } from '../../pure/conditions.ts'
import { ownedFieldsOf } from '../../pure/managed-fields.ts'
import type { Status, WithStatus } from '../../runtime/report.ts'
import { type Change, changeAt, differing } from './changes.ts'

/** What writing this status would change: what it would say anew, and what of ours it would no longer say. */
export const changesInStatus = (object: WithStatus, status: Status, manager: string): readonly Change[] => {
  const [live, wanted] = [keyed(object.status ?? {}), keyed(status)]
  const owned = ownedFieldsOf(object.metadata.managedFields, manager, 'status')['f:status'] ?? {}
  const dropped = Object.keys(owned)
    .filter((step) => step.startsWith('f:') && !Object.hasOwn(wanted, step.slice(2)))
    .map((step) => [step.slice(2)])
  const silenced = Object.keys(owned['f:conditions'] ?? {})
    .filter((step) => step.startsWith('k:'))
    .map((step) => (JSON.parse(step.slice(2)) as { readonly type: string }).type)
    .filter((type) => !Object.hasOwn(wanted.conditions, type))
    .map((type) => ['conditions', type])
  return [...differing(wanted, live), ...dropped, ...silenced].map((path) => changeAt(path, live, wanted))
}

/** Conditions by their type, and without the time, which is that of the write. */
const keyed = ({ conditions = [], ...fields }: Status) => ({
  ...fields,
  conditions: Object.fromEntries(conditions.map((condition) => [condition.type, withoutTime(condition)])),
})

const withoutTime = ({ type: _, lastTransitionTime: __, ...condition }: Condition) => condition
