import { apiVersionOf, type Kind } from './kind.ts'
import type { FieldSet, ManagedFieldsEntry } from './object.ts'

type Entries = readonly ManagedFieldsEntry[] | undefined

const isEntryOf = (manager: string, subresource?: 'status') => (entry: ManagedFieldsEntry) =>
  entry.manager === manager && entry.subresource === subresource

/** Whether this manager has written any path of the object itself (its status does not count). */
export const hasEntryOf = (entries: Entries, manager: string): boolean => (entries ?? []).some(isEntryOf(manager))

/** All paths that this manager owns, of the object itself or of its status, however it came by them. */
export const ownedFieldsOf = (entries: Entries, manager: string, subresource?: 'status'): FieldSet =>
  allFieldsOf((entries ?? []).filter(isEntryOf(manager, subresource)))

/** All paths of the object itself that these managers own together. */
export const fieldsOfAny = (entries: Entries, managers: readonly string[]): FieldSet =>
  allFieldsOf((entries ?? []).filter((entry) => managers.some((manager) => isEntryOf(manager)(entry))))

/** All paths that anybody owns. */
export const allFieldsOf = (entries: Entries): FieldSet =>
  (entries ?? []).reduce<FieldSet>((all, { fieldsV1 }) => union(all, fieldsV1), {})

/** Whose entries become whose, and of which part of which kind of object. */
export interface Succession {
  readonly kind: Kind
  readonly manager: string
  /** Managers of the operators that we take over from. */
  readonly predecessors: readonly string[]
  readonly subresource?: 'status'
}

/**
 * The entries with everything that `manager` and its predecessors wrote turned into one entry of `manager`'s applies;
 * undefined when that is so already. Without it a path that a POST wrote would survive an apply that no longer has it.
 * The server reads the paths of an entry in the entry's version, and keeps one entry for the applies of a manager. So
 * all are put in the version that we apply in: a field that has another name there stays, as after any apply.
 */
export const withEntriesApplied = (
  entries: Entries,
  { kind, manager, predecessors, subresource }: Succession,
): readonly ManagedFieldsEntry[] | undefined => {
  const isOurs = (entry: ManagedFieldsEntry) =>
    [manager, ...predecessors].some((name) => isEntryOf(name, subresource)(entry))
  const ours = (entries ?? []).filter(isOurs)
  const [first] = ours
  if (first === undefined || (ours.length === 1 && first.manager === manager && first.operation === 'Apply'))
    return undefined
  const applied = { ...first, manager, operation: 'Apply', apiVersion: apiVersionOf(kind) } as const
  return [{ ...applied, fieldsV1: allFieldsOf(ours) }, ...(entries ?? []).filter((entry) => !isOurs(entry))]
}

/**
 * The entries with all that anybody has written below this field as ours by apply, so that our next apply takes away what
 * it does not have.
 */
export const withFieldTaken = (
  entries: Entries,
  field: string,
  succession: Succession,
): readonly ManagedFieldsEntry[] => {
  const step = `f:${field}`
  const applied = withEntriesApplied(entries, succession) ?? entries ?? []
  const isOurs = (entry: ManagedFieldsEntry) => isEntryOf(succession.manager)(entry)
  const taken = { [step]: allFieldsOf(applied)[step] ?? {} }
  return applied
    .map((entry) => {
      const { [step]: _, ...rest } = entry.fieldsV1
      return { ...entry, fieldsV1: isOurs(entry) ? union(entry.fieldsV1, taken) : rest }
    })
    .filter(({ fieldsV1 }) => Object.keys(fieldsV1).length > 0)
}

const union = (a: FieldSet, b: FieldSet): FieldSet => {
  const steps = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...steps].map((step) => [step, union(a[step] ?? {}, b[step] ?? {})]))
}
