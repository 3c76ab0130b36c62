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
export const idle = async (operator: Handle, client: Client, scope: Scope): Promise<void> => {
  await eventually('the operator is idle', () => isIdle(operator, client, scope))
}

/** Twice the same: a pass may come and go while the test looks, and what it wrote has not been seen by all. */
export const isIdle = async (operator: Handle, client: Client, scope: Scope): Promise<boolean> => {
  const seen = await seenWhileQuiet(operator, client, scope)
  return seen !== undefined && seen === (await seenWhileQuiet(operator, client, scope))
}

const seenWhileQuiet = async (operator: Handle, client: Client, scope: Scope): Promise<string | undefined> => {
  const isQuiet = () => operator.isQuiet
  const seen = isQuiet() ? await seenByAll(operator, client, scope) : undefined
  return isQuiet() ? seen : undefined
}

/** What the server has, as far as this test is concerned; undefined unless every cache of the operator holds it. */
const seenByAll = async (
  operator: Pick<Handle, 'informers'>,
  client: Client,
  scope: Scope,
): Promise<string | undefined> => {
  const seen = await Promise.all(operator.informers.map((informer) => seenBy(informer, client, scope)))
  return seen.includes(undefined) ? undefined : seen.join('\n')
}

export const isEqualToServer = async (
  operator: Pick<Handle, 'informers'>,
  client: Client,
  scope: Scope,
): Promise<boolean> => (await seenByAll(operator, client, scope)) !== undefined

const seenBy = async (informer: Informer, client: Client, scope: Scope): Promise<string | undefined> => {
  const selection = selectionIn(informer, scope)
  const { items } = await client.list(informer.view.kind, selection, { extent: 'metadata' })
  const cached = printVersions(informer.store.list().filter((object) => isInScope(informer, object, scope)))
  return printVersions(items.filter((object) => isInScope(informer, object, scope))) === cached ? cached : undefined
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
