import { Namespace } from '../pure/kind.ts'
import { type KubeObject, type ObjectKey, printKey } from '../pure/object.ts'
import type { Scope } from '../pure/scope.ts'
import { Informer, type Wires } from './informer.ts'
import type { ChangeListener } from './store.ts'
import { isChosen, type View } from './view.ts'

/** One kind, as far as the operator sees it: a store for everything, or one for each namespace that it may see. */
export class InView<T extends KubeObject = KubeObject> {
  readonly view: View<T>
  readonly informers: readonly Informer<T>[]

  constructor(view: View<T>, scope: Scope, wires: Wires) {
    this.view = view
    this.informers = partsOf(view, scope).map(
      ({ name, namespace }) =>
        new Informer(name === undefined ? view : { ...view, choice: { ...view.choice, name } }, namespace, wires),
    )
  }

  /** Resolves when everything is in for the first time. */
  async synced(): Promise<void> {
    await Promise.all(this.informers.map(({ synced }) => synced))
  }

  /** Whether the object, as it is now, is among those in view. */
  includes(object: KubeObject): boolean {
    return isChosen(this.view.choice, object) && this.informersFor(object.metadata).length > 0
  }

  /** The informers that would have an object of this name, if the rest of it were right. */
  informersFor({ namespace, name }: ObjectKey): readonly Informer<T>[] {
    return this.informers.filter(
      (informer) =>
        (informer.namespace === undefined || informer.namespace === namespace) &&
        (informer.view.choice.name === undefined || informer.view.choice.name === name),
    )
  }

  /** The informers that would have objects of a namespace; all of them when none is named. */
  informersIn(namespace: string | undefined): readonly Informer<T>[] {
    if (namespace === undefined) return this.informers
    return this.informers.filter((informer) => informer.namespace === undefined || informer.namespace === namespace)
  }

  get(key: ObjectKey): T | undefined {
    return this.informersFor(key)
      .map(({ store }) => store.get(printKey(key)))
      .find((object) => object !== undefined)
  }

  list(): readonly T[] {
    return this.informers.flatMap(({ store }) => store.list())
  }

  find(index: string, value: string): readonly T[] {
    return this.informers.flatMap(({ store }) => store.find(index, value))
  }

  onChange(listener: ChangeListener<T>): void {
    for (const { store } of this.informers) store.onChange(listener)
  }
}

interface Part {
  readonly namespace?: string
  readonly name?: string
}

const partsOf = (
  { kind, includesOwn = false }: Pick<View, 'kind' | 'includesOwn'>,
  { own, watched }: Scope,
): readonly Part[] => {
  if (watched === 'all') return [{}]
  // A namespace can be seen by its name alone: nobody needs to know of the others.
  if (kind === Namespace) return watched.map((name) => ({ name }))
  if (!kind.namespaced) return [{}]
  return [...new Set([...watched, ...(includesOwn ? [own] : [])])].map((namespace) => ({ namespace }))
}
