import type { Desired, Effect } from './effects.ts'
import { isInSync, withAppliedMark, withoutAppliedMark } from './in-sync.ts'
import { type Succession, withEntriesApplied } from './managed-fields.ts'
import { keyOf, preconditionOf, type KubeObject } from './object.ts'

/**
 * Nothing when the live object is in sync, else the one effect that comes next: a create; turning what we wrote by POST
 * (or a predecessor wrote) into ours by apply; or the apply itself. `hasDrifted` is what the caller knows beyond
 * managedFields, such as a Secret's live fingerprint.
 */
export const keep = (
  keeping: Succession,
  live: KubeObject | undefined,
  desired: Desired,
  hasDrifted = false,
): readonly Effect[] => {
  const { kind, manager } = keeping
  const object = withAppliedMark(desired)
  if (live === undefined) return [{ do: 'create', kind, object }]
  if (!hasDrifted && isInSync(live, object, manager)) return []
  const on = preconditionOf(live)
  const managedFields = withEntriesApplied(live.metadata.managedFields, keeping)
  if (managedFields !== undefined) {
    // Among what becomes ours may be a field of ours that a predecessor has changed: only an apply puts its value back.
    const set = { managedFields, annotations: withoutAppliedMark }
    return [{ do: 'mark', kind, key: keyOf(live), on, set }]
  }
  return [{ do: 'apply', kind, object, on }]
}
