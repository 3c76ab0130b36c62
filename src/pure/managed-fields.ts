import { apiVersionOf, type Kind } from './kind.ts'
import type { FieldSet, ManagedFieldsEntry } from './object.ts'
import { getOwn } from './own.ts'

type Entries = readonly ManagedFieldsEntry[] | undefined

const isEntryOf = (manager: string, subresource?: 'status') => (entry: ManagedFieldsEntry) =>
  entry.manager === manager && entry.subresource === subresource

/**
 * A program that wrote objects before us, by its field manager. Where other programs use the same name, an entry counts
 * as this program's only if it owns one of these paths.
 */
export type Predecessor = string | { readonly manager: string; readonly owning: readonly (readonly string[])[] }

const isEntryBy = (author: Predecessor, subresource?: 'status') => (entry: ManagedFieldsEntry) =>
  typeof author === 'string'
    ? isEntryOf(author, subresource)(entry)
    : isEntryOf(author.manager, subresource)(entry) && author.owning.some((path) => owns(entry.fieldsV1, path))

const owns = (fields: FieldSet, path: readonly string[]): boolean =>
  path.reduce<FieldSet | undefined>((inner, step) => getOwn(inner, step), fields) !== undefined

/** Whether this manager has written any path of the object itself, or of its status. */
export const hasEntryOf = (entries: Entries, manager: string, subresource?: 'status'): boolean =>
  (entries ?? []).some(isEntryOf(manager, subresource))

/** All paths that this manager owns, of the object itself or of its status, however it came by them. */
export const ownedFieldsOf = (entries: Entries, manager: string, subresource?: 'status'): FieldSet =>
  allFieldsOf((entries ?? []).filter(isEntryOf(manager, subresource)))

/** Whether any of these has written any path of the object itself. */
export const hasEntryOfAny = (entries: Entries, authors: readonly Predecessor[]): boolean =>
  (entries ?? []).some((entry) => authors.some((author) => isEntryBy(author)(entry)))

/** All paths of the object itself that these own together. */
export const fieldsOfAny = (entries: Entries, authors: readonly Predecessor[]): FieldSet =>
  allFieldsOf((entries ?? []).filter((entry) => authors.some((author) => isEntryBy(author)(entry))))

/** All paths that anybody owns. */
export const allFieldsOf = (entries: Entries): FieldSet =>
  (entries ?? []).reduce<FieldSet>((all, { fieldsV1 }) => union(all, fieldsV1), {})

/** Whose entries become whose, and of which part of which kind of object. */
export interface Succession {
  readonly kind: Kind
  readonly manager: string
  /** The operators that we take over from. */
  readonly predecessors: readonly Predecessor[]
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
  succession: Succession,
): readonly ManagedFieldsEntry[] | undefined => {
  const { ours, others } = dividedBy(succession, entries)
  const [first] = ours
  if (first === undefined || (ours.length === 1 && first.manager === succession.manager && first.operation === 'Apply'))
    return undefined
  const fieldsV1 = allFieldsOf(ours)
  // The server drops an entry that owns nothing, and with it what shows that we wrote the object: an apply comes first.
  if (Object.keys(fieldsV1).length === 0) return undefined
  return [{ ...first, ...appliedBy(succession), fieldsV1 }, ...others]
}

/** A field of an object that is a map, and the keys that are in it. */
interface MapField {
  readonly field: string
  readonly keys: readonly string[]
}

/**
 * The entries with all that is in this map as ours by apply, whoever wrote it, so that our next apply takes away what it
 * does not have.
 */
export const withFieldTaken = (
  entries: Entries,
  { field, keys }: MapField,
  succession: Omit<Succession, 'subresource'>,
): readonly ManagedFieldsEntry[] => {
  const step = `f:${field}` as const
  const taken = { [step]: Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) }
  const { ours, others } = dividedBy(succession, entries)
  const left = others.map((entry) => {
    const { [step]: _, ...fieldsV1 } = allFieldsOf([entry])
    return { ...entry, fieldsV1 }
  })
  return [
    { ...ours[0], ...appliedBy(succession), fieldsV1: union(allFieldsOf(ours), taken) },
    ...left.filter(({ fieldsV1 }) => Object.keys(fieldsV1).length > 0),
  ]
}

const dividedBy = ({ manager, predecessors, subresource }: Succession, entries: Entries) => {
  const isOurs = (entry: ManagedFieldsEntry) =>
    [manager, ...predecessors].some((author) => isEntryBy(author, subresource)(entry))
  const all = entries ?? []
  return { ours: all.filter(isOurs), others: all.filter((entry) => !isOurs(entry)) }
}

const appliedBy = ({ manager, kind }: Succession) =>
  ({ manager, operation: 'Apply', apiVersion: apiVersionOf(kind), fieldsType: 'FieldsV1' }) as const

/** Anybody may have written an entry: what is not a set of paths is an empty one. */
const union = (a: unknown, b: unknown): FieldSet => {
  const [ours, theirs] = [mapOf(a), mapOf(b)]
  const steps = new Set([...ours.keys(), ...theirs.keys()])
  return Object.fromEntries([...steps].map((step) => [step, union(ours.get(step), theirs.get(step))]))
}

const mapOf = (set: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(typeof set === 'object' && set !== null ? Object.entries(set) : [])
