import { kinds } from '../../api/kinds.ts'
import { crdNameOf, type Kind } from '../../pure/kind.ts'
import type { Controller } from '../../runtime/controller.ts'
import { CommandFailure } from '../command-failure.ts'

/** The objects that somebody asked for. */
export interface AskedFor {
  /** Absent: every kind. */
  readonly kind: Kind | undefined
  readonly namespace: string | undefined
  readonly name: string | undefined
}

/** Understands `KIND`, `KIND/NAME` and `KIND/NAMESPACE/NAME`; the kinds are those that controllers reconcile. */
export const askedForBy = (
  target: string | undefined,
  flag: string | undefined,
  controllers: readonly Controller[],
): AskedFor => {
  if (target === undefined) return { kind: undefined, namespace: flag, name: undefined }
  const [word = '', ...path] = target.split('/')
  const kind = kindNamed(word, controllers)
  const [name, namespace, ...rest] = path.reverse()
  if (rest.length > 0 || path.includes(''))
    throw new CommandFailure('usage', `"${target}" names no object: write KIND, KIND/NAME or KIND/NAMESPACE/NAME`)
  if (namespace !== undefined && !kind.namespaced)
    throw new CommandFailure('usage', `${kind.kind}s are in no namespace: write ${word}/${name}`)
  if (namespace !== undefined && flag !== undefined && namespace !== flag)
    throw new CommandFailure(
      'usage',
      `"${target}" is in namespace ${namespace}, and --namespace says ${flag}: drop one`,
    )
  return { kind, namespace: namespace ?? flag, name }
}

const kindNamed = (word: string, controllers: readonly Controller[]): Kind => {
  const known = controllers.map(({ reconciles }) => reconciles)
  const found = known.find((kind) => namesOf(kind).some((name) => name.toLowerCase() === word.toLowerCase()))
  if (found !== undefined) return found
  const all = known.map((kind) => kind.plural).join(', ')
  throw new CommandFailure('notFound', `the operator reconciles no kind "${word}": it does ${all}`)
}

/** Everything that kubectl would know it by. */
const namesOf = (kind: Kind): readonly string[] => {
  const definition = kinds.find((other) => crdNameOf(other) === crdNameOf(kind))
  const short = definition === undefined ? [] : [definition.singular, ...definition.shortNames]
  return [kind.kind, kind.plural, crdNameOf(kind), ...short]
}

/** Whether an object of this key is meant; one without a namespace is in all of them. */
export const isAskedFor =
  ({ namespace, name }: AskedFor) =>
  (key: string): boolean => {
    const [itsName, itsNamespace] = key.split('/').reverse()
    return (
      (name === undefined || name === itsName) &&
      (namespace === undefined || itsNamespace === undefined || namespace === itsNamespace)
    )
  }
