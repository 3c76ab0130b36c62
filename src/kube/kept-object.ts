import { excessOf, type Limits } from '../pure/limits.ts'
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../pure/object.ts'
import type { View } from './view.ts'

// What an object takes in a store, whoever wrote it. The largest of ours is a list of many keys (key-list.ts); a template
// of pods is some 20 levels deep.
const objectLimits: Limits = { size: 768 * 1024, depth: 48 }
// Of each part of its metadata.
const partLimits: Limits = { size: 64 * 1024, depth: 40 }
const entryLimits: Limits = { size: 192 * 1024, depth: 40 }

/**
 * The object as the view's store has it. Anybody may have written it: one that is too large or too deep, or that the
 * view's own functions fail on, is kept by its metadata alone and says why. So no object can end an informer, and all
 * code behind a store may rely on its limits.
 */
export const keptBy = <T extends KubeObject>(view: View<T>, object: T): T => {
  const bounded = { ...object, metadata: boundedMetadata(object.metadata, view) }
  const { apiVersion, kind, metadata } = bounded
  const bare = { apiVersion, kind, metadata }
  if (view.extent === 'metadata') return bare as T
  try {
    const kept = view.project === undefined ? bounded : view.project(bounded)
    const excess = excessOf(kept, objectLimits)
    if (excess !== undefined) return { ...bare, unreadable: excess } as T
    for (const index of Object.values(view.indexes)) index(kept)
    return kept
  } catch (error) {
    // Its message may quote what it was about.
    return { ...bare, unreadable: `it makes no sense (${error instanceof Error ? error.name : 'unknown error'})` } as T
  }
}

/** The metadata without what exceeds its limits. The label that the view selects by stays. */
const boundedMetadata = (metadata: ObjectMeta, { choice }: Pick<View, 'choice'>): ObjectMeta => {
  if (excessOf(metadata, partLimits) === undefined) return metadata
  const { labels, annotations, finalizers, ownerReferences, managedFields, ...rest } = metadata
  const selected = Object.entries(labels ?? {}).filter(([name]) => name === choice.label)
  return {
    ...rest,
    ...(labels && { labels: within(labels, partLimits) ?? Object.fromEntries(selected) }),
    ...(annotations && { annotations: within(annotations, partLimits) ?? smallAmong(annotations) }),
    ...(finalizers && { finalizers: within(finalizers, partLimits) ?? finalizers.slice(0, mostItems) }),
    ...(ownerReferences && {
      ownerReferences: within(ownerReferences, partLimits) ?? ownerReferences.slice(0, mostItems),
    }),
    ...(managedFields && { managedFields: boundedEntries(managedFields) }),
  }
}

const mostItems = 20

const within = <T>(value: T, limits: Limits): T | undefined =>
  excessOf(value, limits) === undefined ? value : undefined

// Longer than any that we write or read.
const longestAnnotation = 16 * 1024

const smallAmong = (annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const small = Object.entries(annotations).filter(([, value]) => value.length <= longestAnnotation)
  return within(Object.fromEntries(small), objectLimits) ?? {}
}

/** An entry that no manager of fields would write says that its manager owns nothing. */
const boundedEntries = (entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] =>
  entries
    .slice(0, mostEntries)
    .map((entry) => (excessOf(entry.fieldsV1, entryLimits) === undefined ? entry : { ...entry, fieldsV1: {} }))

const mostEntries = 40
