import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/** A named entry of a kubeconfig, as it stands there: what it means is asked only of those that are used. */
export interface Entry {
  readonly name: string
  readonly file: string
  readonly fields: Readonly<Record<string, unknown>>
}

export type Entries = ReadonlyMap<string, Entry>

export interface Kubeconfig {
  readonly currentContext: string | undefined
  readonly contexts: Entries
  readonly clusters: Entries
  readonly users: Entries
}

const fields = z.record(z.string(), z.unknown()).nullish()
const name = z.string().min(1)

// Whatever is missing may be in another file.
const shape = z
  .looseObject({
    'current-context': z.string().nullish(),
    contexts: z.array(z.looseObject({ name, context: fields })).nullish(),
    clusters: z.array(z.looseObject({ name, cluster: fields })).nullish(),
    users: z.array(z.looseObject({ name, user: fields })).nullish(),
  })
  .nullish()

/** One kubeconfig file. Throws a sentence that names places and no values: any of them may be a credential. */
export const readKubeconfigFile = (path: string): Kubeconfig => {
  let content: unknown
  try {
    content = parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`cannot read kubeconfig ${path}: it is missing, unreadable or not YAML`, { cause })
  }
  const result = shape.safeParse(content)
  if (!result.success) {
    const places = result.error.issues.map((issue) => issue.path.join('.') || 'content').join(', ')
    throw new Error(`cannot use kubeconfig ${path}: wrong or missing ${places}`)
  }
  const { contexts, clusters, users, ...rest } = result.data ?? {}
  const entry = (of: string, fieldsOf: z.infer<typeof fields>): Entry => ({
    name: of,
    file: resolve(path),
    fields: withoutEmpty(fieldsOf ?? {}),
  })
  return {
    currentContext: rest['current-context'] ?? undefined,
    contexts: byName(
      path,
      'context',
      contexts?.map((item) => entry(item.name, item.context)),
    ),
    clusters: byName(
      path,
      'cluster',
      clusters?.map((item) => entry(item.name, item.cluster)),
    ),
    users: byName(
      path,
      'user',
      users?.map((item) => entry(item.name, item.user)),
    ),
  }
}

/** What is empty is as good as not written: tools write fields that they do not set. */
const withoutEmpty = (all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== ''))

const byName = (path: string, what: string, entries: readonly Entry[] = []): Entries => {
  const found = new Map<string, Entry>()
  for (const entry of entries) {
    if (found.has(entry.name)) throw new Error(`cannot use kubeconfig ${path}: it has two ${what}s "${entry.name}"`)
    found.set(entry.name, entry)
  }
  return found
}
