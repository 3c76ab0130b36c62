import type { Desired, Effect } from './effects.ts'
import { isInSync, withAppliedMark } from './in-sync.ts'
import type { Kind } from './kind.ts'
import { type Succession, withEntriesApplied } from './managed-fields.ts'
import { keyOf, preconditionOf, type KubeObject } from './object.ts'

export interface Keeping extends Succession {
  readonly kind: Kind
}

/**
 * Nothing when the live object is in sync, else the one effect that comes next: a create; turning what we wrote by POST
 * (or a predecessor wrote) into ours by apply; or the apply itself. `hasDrifted` is what the caller knows beyond
 * managedFields, such as a Secret's live fingerprint.
 */
export const keep = (
  keeping: Keeping,
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
  if (managedFields !== undefined) return [{ do: 'mark', kind, key: keyOf(live), on, set: { managedFields } }]
  return [{ do: 'apply', kind, object, on }]
}
