import type { Client, Selection } from '../../src/kube/client.ts'
import type { Informer } from '../../src/kube/informer.ts'
import { type KubeObject, keyOf, printKey } from '../../src/pure/object.ts'
import type { Operator } from '../../src/runtime/operator.ts'
import { selectionOf } from '../../src/kube/view.ts'
import { eventually } from '../../src/dev/eventually.ts'

/** The objects of one test among those of others. */
export interface Scope {
  /** Label value on the test's namespaces and agents, and the end of its namespaces' names. */
  readonly suite: string
}

/** As much of an operator as a test can have of one that is another process. */
export type Handle = Pick<Operator, 'informers' | 'isQuiet' | 'resync' | 'stop'>

export const suiteLabel = 'test.holdfast.dev/suite'

/**
 * Resolves when the operator has nothing to do and has seen everything: queue and calls are empty, and each of its
 * caches equals a list taken by the test. Versions alone would not tell: a quiet kind gets its bookmark once a minute.
 */
export const idle = async (watched: Watched): Promise<void> => {
  await eventually('the operator is idle', () => isIdle(watched))
}

/** An operator, what goes from it to the server, and what the test sees of that. */
export interface Watched {
  readonly operator: Handle
  readonly gate: { readonly calls: number }
  readonly client: Client
  readonly scope: Scope
}

export const isIdle = async ({ operator, gate, client, scope }: Watched): Promise<boolean> => {
  const { calls } = gate
  if (!operator.isQuiet || !(await isEqualToServer(operator, client, scope))) return false
  // A pass may have come and gone while the test looked: then what it wrote has not been seen by all.
  return gate.calls === calls && isQuiet(operator)
}

/** It may have changed since it was last asked for. */
const isQuiet = (operator: Handle): boolean => operator.isQuiet

/** Whether every cache of the operator holds what the server has, as far as this test is concerned. */
export const isEqualToServer = async (
  operator: Pick<Handle, 'informers'>,
  client: Client,
  scope: Scope,
): Promise<boolean> => {
  // Controllers that keep the same kind in view are compared with the same list.
  const lists = Map.groupBy(operator.informers, (informer) =>
    JSON.stringify([informer.view.kind.plural, selectionIn(informer, scope)]),
  )
  const equal = await Promise.all([...lists.values()].map((informers) => areEqualToServer(informers, client, scope)))
  return equal.every(Boolean)
}

const areEqualToServer = async (informers: readonly Informer[], client: Client, scope: Scope): Promise<boolean> => {
  const [first] = informers
  if (first === undefined) return true
  const { items } = await client.list(first.view.kind, selectionIn(first, scope), { extent: 'metadata' })
  return informers.every((informer) => holds(informer, items, scope))
}

const holds = (informer: Informer, items: readonly KubeObject[], scope: Scope): boolean => {
  const cached = informer.store.list().filter((object) => isInScope(informer, object, scope))
  return printVersions(items.filter((object) => isInScope(informer, object, scope))) === printVersions(cached)
}

const selectionIn = ({ view, namespace }: Informer, { suite }: Scope): Selection => {
  if (view.choice.name !== undefined) return selectionOf(view.choice, namespace)
  // What lies in our namespaces concerns us.
  if (view.kind.namespaced) return selectionOf(view.choice, namespace)
  return { namespace, labelSelector: `${suiteLabel}=${suite}` }
}

const isInScope = ({ view }: Informer, { metadata }: KubeObject, { suite }: Scope): boolean => {
  if (view.choice.name !== undefined) return true
  if (view.kind.namespaced) return metadata.namespace?.endsWith(suite) ?? false
  return metadata.labels?.[suiteLabel] === suite
}

const printVersions = (objects: readonly KubeObject[]): string =>
  objects
    .map((object) => `${printKey(keyOf(object))}@${object.metadata.resourceVersion}`)
    .sort()
    .join('\n')
