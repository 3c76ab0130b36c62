import { isDeepStrictEqual } from 'node:util'
import type { Desired, Marks } from '../../pure/effects.ts'
import { type Path, pathsToRegain } from '../../pure/in-sync.ts'
import type { Kind } from '../../pure/kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../pure/object.ts'
import { masked } from './masked.ts'
import { getOwn } from '../../pure/own.ts'

/** One place in an object that a write would change. A side that is absent has nothing there, or it is not known. */
export interface Change {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What an apply would change, as far as it can be seen: the paths that others have taken from us, and the values that
 * are not what they should be. Of what is in view by its metadata alone, the rest is told by its paths only.
 */
export const changesByApply = (
  { kind, object }: { readonly kind: Kind; readonly object: Desired },
  live: KubeObject,
  manager: string,
): readonly Change[] => {
  const [wanted, seen] = [masked(kind, object), masked(kind, live)]
  const inView = Object.fromEntries(Object.entries(wanted).filter(([field]) => Object.hasOwn(seen, field)))
  const paths = [...pathsToRegain(live, object, manager), ...differing(inView, seen)]
  const unique = new Map(paths.map((path) => [printPath(path), path]))
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, path]) => changeAt(path, seen, wanted))
}

/** What marking an object would change in its metadata. */
export const changesByMarks = (
  { labels = {}, annotations = {}, finalizers, managedFields }: Marks,
  metadata: Partial<KubeObject['metadata']> = {},
): readonly Change[] => [
  ...changesInMap('labels', metadata.labels, labels),
  ...changesInMap('annotations', metadata.annotations, annotations),
  ...(finalizers === undefined ? [] : changesInList('finalizers', metadata.finalizers, finalizers)),
  ...(managedFields === undefined
    ? []
    : changesInList('managedFields', metadata.managedFields?.map(printEntry), managedFields.map(printEntry))),
]

/** The paths at which the live value is not what is wanted; what else is there does not matter. */
export const differing = (wanted: unknown, live: unknown): readonly Path[] => {
  if (wanted === undefined || isDeepStrictEqual(wanted, live)) return []
  if (Array.isArray(wanted) && Array.isArray(live)) {
    const items: readonly unknown[] = live
    return wanted.flatMap((item, index) => differing(item, counterpartOf(item, items)).map((path) => [index, ...path]))
  }
  if (!isMap(wanted) || !isMap(live)) return [[]]
  return Object.entries(wanted).flatMap(([field, value]) =>
    differing(value, getOwn(live, field)).map((path) => [field, ...path]),
  )
}

/** The live list may have other items, and ours in another order. */
const counterpartOf = (item: unknown, live: readonly unknown[]): unknown =>
  live.find((other) => differing(item, other).length === 0) ??
  live.find((other) => isMap(item) && isMap(other) && other['name'] === item['name'])

/** A list item's place in what we want need not be its place in what there is. */
export const changeAt = (path: Path, live: unknown, wanted: unknown): Change => {
  const before = path.some((step) => typeof step === 'number') ? undefined : valueAt(live, path)
  const after = valueAt(wanted, path)
  return {
    path: printPath(path),
    ...(before === undefined || isDeepStrictEqual(before, after) ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

/** `spec.containers[0].image`, `metadata.labels[example.com/a]`. */
const printPath = (path: Path): string =>
  path.reduce<string>((text, step) => {
    const isPlain = typeof step === 'string' && /^[A-Za-z_][\w-]*$/.test(step)
    if (!isPlain) return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => getOwn(inner as Fields | undefined, String(step)), value)

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const changesInMap = (
  field: string,
  live: Readonly<Record<string, string>> = {},
  set: Readonly<Record<string, string | null>> = {},
): readonly Change[] =>
  Object.entries(set)
    .filter(([key, value]) => (getOwn(live, key) ?? null) !== value)
    .map(([key, value]) => ({
      path: printPath(['metadata', field, key]),
      ...(Object.hasOwn(live, key) ? { before: getOwn(live, key) } : {}),
      ...(value === null ? {} : { after: value }),
    }))

const changesInList = (field: string, live: readonly string[] = [], wanted: readonly string[]): readonly Change[] => {
  const path = printPath(['metadata', field])
  return [
    ...live.filter((item) => !wanted.includes(item)).map((before) => ({ path, before })),
    ...wanted.filter((item) => !live.includes(item)).map((after) => ({ path, after })),
  ]
}

const printEntry = ({ manager, operation, subresource }: ManagedFieldsEntry): string =>
  `${subresource === undefined ? '' : `${subresource} `}by ${manager} (${operation})`
