import type { WireRequest } from '../../src/kube/port.ts'
import type { rbacOf } from '../../src/pure/rbac.ts'

/** One thing that somebody does or may do, in the words of the API server's authorizer. */
export interface Act {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string | undefined
  /** Absent: a cluster-scoped kind, or all namespaces. */
  readonly namespace: string | undefined
  /** Absent: all objects, or one that has no name yet. */
  readonly name: string | undefined
}

/** What a request asks the authorizer for, read off the wire and not off the program that sent it. */
export const actOf = (request: WireRequest): Act => {
  const [, root, ...segments] = request.path.split('/')
  const group = root === 'apis' ? (segments.shift() ?? '') : ''
  const [, ...place] = segments
  const namespace = place[0] === 'namespaces' && place.length > 2 ? place[1] : undefined
  const [resource = request.path, name, subresource] = namespace === undefined ? place : place.slice(2)
  return {
    verb: verbOf(request, name),
    group,
    resource,
    subresource,
    namespace,
    name: name ?? nameSelectedBy(request.query['fieldSelector']),
  }
}

const verbOf = ({ method, query }: WireRequest, name: string | undefined): string => {
  if (method !== 'GET') return { POST: 'create', PATCH: 'patch', DELETE: 'delete' }[method]
  if (query['watch'] === 'true') return 'watch'
  return name === undefined ? 'list' : 'get'
}

const nameSelectedBy = (fieldSelector = ''): string | undefined => /^metadata\.name=([^,=]+)$/.exec(fieldSelector)?.[1]

/** Everything that these roles grant, one by one. */
export const grantedBy = (objects: ReturnType<typeof rbacOf>): readonly Act[] =>
  objects.flatMap((object) => {
    if (!('rules' in object)) return []
    const { namespace } = object.metadata
    return object.rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [undefined] }) =>
      resources.flatMap((path) => {
        const [resource = '', subresource] = path.split('/')
        const toNames = (verb: string, group: string) =>
          resourceNames.map((name) => ({ verb, group, resource, subresource, namespace, name }))
        return apiGroups.flatMap((group) => verbs.flatMap((verb) => toNames(verb, group)))
      }),
    )
  })

/** Whether what is granted is enough for what is done. */
export const suffices = (granted: Act, done: Act): boolean =>
  granted.verb === done.verb &&
  granted.group === done.group &&
  granted.resource === done.resource &&
  granted.subresource === done.subresource &&
  (granted.namespace === undefined || granted.namespace === done.namespace) &&
  (granted.name === undefined || granted.name === done.name)

export const printAct = ({ verb, group, resource, subresource, namespace, name }: Act): string =>
  [
    `${verb} ${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`,
    ...(namespace === undefined ? [] : [`in ${namespace}`]),
    ...(name === undefined ? [] : [`named ${name}`]),
  ].join(' ')
