import { type Grant, grantsOf, isCoveredBy } from '../pure/grants.ts'
import type { Kind } from '../pure/kind.ts'
import { type ObjectKey, printKey } from '../pure/object.ts'
import type { Right, RightVerb } from '../pure/rights.ts'
import type { Scope } from '../pure/scope.ts'
import { TerminalError } from '../pure/terminal-error.ts'
import type { Client, Selection } from './client.ts'

/** Something was tried that nobody declared: a mistake in the program. */
class UndeclaredError extends TerminalError {
  constructor({ verb, kind, subresource, namespace, name }: Attempt) {
    const place = namespace === undefined ? (kind.namespaced ? ' in all namespaces' : '') : ` in namespace ${namespace}`
    const objects = `${kind.kind}s${place}`
    const what = name === undefined ? objects : `${kind.kind} ${printKey({ namespace, name })}`
    const part = subresource === undefined ? '' : `the ${subresource} of `
    super(
      `cannot ${verb} ${part}${what}: the right to do so was not declared; declare it in the controller's rights.ts`,
    )
    this.name = 'UndeclaredError'
  }
}

interface Attempt {
  readonly verb: RightVerb
  readonly kind: Kind
  readonly subresource?: 'status'
  readonly namespace: string | undefined
  readonly name: string | undefined
}

/**
 * A client that sends nothing for which no right was declared. So a missing declaration shows in the first test that
 * runs into it, as cluster admin too, and not as a refusal in somebody's cluster.
 */
export const declaredClient = (client: Client, rights: readonly Right[], scope: Scope): Client => {
  const grants = grantsOf(rights, scope)

  /** Does what was declared. Rejects, as a refused request would, where it was not. */
  const declared = async <T>(attempt: Attempt, send: () => Promise<T>): Promise<T> => {
    const asked = leastGrantFor(attempt)
    if (!grants.some((grant) => isCoveredBy(asked, grant))) throw new UndeclaredError(attempt)
    return send()
  }

  return {
    get: (kind, key, extent) => declared(onObject('get', kind, key), () => client.get(kind, key, extent)),
    list: (kind, selection, options) =>
      declared(onSelection('list', kind, selection), () => client.list(kind, selection, options)),
    create: (kind, object, manager) =>
      declared(onObject('create', kind, object.metadata), () => client.create(kind, object, manager)),
    apply: (kind, object, on, manager) =>
      declared(onObject('patch', kind, object.metadata), () => client.apply(kind, object, on, manager)),
    applyStatus: (kind, object, on, manager) =>
      declared({ ...onObject('patch', kind, object.metadata), subresource: 'status' }, () =>
        client.applyStatus(kind, object, on, manager),
      ),
    mark: (kind, key, marking, manager) =>
      declared(onObject('patch', kind, key), () => client.mark(kind, key, marking, manager)),
    delete: (kind, key, ...on) => declared(onObject('delete', kind, key), () => client.delete(kind, key, ...on)),
    openWatch: (kind, selection, options, signal) =>
      declared(onSelection('watch', kind, selection), () => client.openWatch(kind, selection, options, signal)),
  }
}

const onObject = (verb: RightVerb, kind: Kind, { namespace, name }: Partial<ObjectKey>): Attempt => ({
  verb,
  kind,
  namespace: kind.namespaced ? namespace : undefined,
  name,
})

const onSelection = (verb: 'list' | 'watch', kind: Kind, { namespace, fieldSelector }: Selection): Attempt =>
  onObject(verb, kind, { namespace, ...nameIn(fieldSelector) })

/** The one object that a list or watch is about, if its selector names one: so the API server understands it, too. */
const nameIn = (fieldSelector = ''): { readonly name?: string } => {
  const [, name] = /(?:^|,)metadata\.name=([^,=]+)(?:,|$)/.exec(fieldSelector) ?? []
  return name === undefined ? {} : { name }
}

/** The least grant that an attempt asks for. */
const leastGrantFor = ({ verb, kind, subresource, namespace, name }: Attempt): Grant => ({
  kind,
  subresource,
  verbs: [verb],
  namespace,
  names: name === undefined ? undefined : [name],
})
