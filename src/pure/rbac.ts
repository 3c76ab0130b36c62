import { type Grant, grantsOf, isCoveredBy } from './grants.ts'
import type { Right } from './rights.ts'
import type { Scope } from './scope.ts'

/** A rule of a Role or ClusterRole. */
export interface RbacRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

interface Named {
  readonly apiVersion: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

interface Role extends Named {
  readonly kind: 'Role' | 'ClusterRole'
  readonly rules: readonly RbacRule[]
}

interface Binding extends Named {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding'
  readonly roleRef: { readonly apiGroup: string; readonly kind: Role['kind']; readonly name: string }
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[]
}

/** The service account that the operator runs as, in its own namespace. */
export const serviceAccountName = 'holdfast'

const apiGroup = 'rbac.authorization.k8s.io'
const apiVersion = `${apiGroup}/v1`

/**
 * The roles that grant these rights and nothing else, with their bindings. One ClusterRole holds what is granted
 * everywhere, and each namespace gets a Role for what is granted there alone.
 */
export const rbacOf = (rights: readonly Right[], scope: Scope): readonly (Role | Binding)[] => {
  const grants = grantsOf(rights, scope)
  const everywhere = grants.filter(({ namespace }) => namespace === undefined)
  const local = grants.filter(
    (grant): grant is Grant & { namespace: string } =>
      grant.namespace !== undefined && !everywhere.some((other) => isCoveredBy(grant, other)),
  )
  const byNamespace = [...Map.groupBy(local, ({ namespace }) => namespace)].sort(byFirst)
  return [
    ...boundRole('ClusterRole', undefined, everywhere, scope),
    ...byNamespace.flatMap(([namespace, granted]) => boundRole('Role', namespace, granted, scope)),
  ]
}

const boundRole = (
  kind: Role['kind'],
  namespace: string | undefined,
  grants: readonly Grant[],
  { own }: Scope,
): readonly (Role | Binding)[] => {
  if (grants.length === 0) return []
  // Two installations may meet in a namespace, and do in the cluster.
  const name = `holdfast:${own}`
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) }
  const roleRef = { apiGroup, kind, name }
  const subjects = [{ kind: 'ServiceAccount', name: serviceAccountName, namespace: own }]
  return [
    { apiVersion, kind, metadata, rules: rulesOf(grants) },
    { apiVersion, kind: `${kind}Binding`, metadata, roleRef, subjects },
  ]
}

/** The same rules for the same grants, in whatever order and pieces they come. */
const rulesOf = (grants: readonly Grant[]): readonly RbacRule[] => {
  const perResource = grouped(grants.map(ruleOf), ({ verbs: _, ...what }) => what).map(([rule, ...others]) => ({
    ...rule,
    verbs: sorted([rule, ...others].flatMap(({ verbs }) => verbs)),
  }))
  return grouped(perResource, ({ resources: _, ...rest }) => rest)
    .map(([rule, ...others]) => ({
      ...rule,
      resources: sorted([rule, ...others].flatMap(({ resources }) => resources)),
    }))
    .sort((one, other) => compare(JSON.stringify(one), JSON.stringify(other)))
}

const ruleOf = ({ kind, subresource, names, verbs }: Grant): RbacRule => ({
  apiGroups: [kind.group],
  resources: [subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`],
  ...(names === undefined ? {} : { resourceNames: sorted(names) }),
  verbs,
})

/** Items that are alike in this, together; no group is empty. */
const grouped = <T>(items: readonly T[], likenessOf: (item: T) => object): readonly (readonly [T, ...T[]])[] =>
  [...Map.groupBy(items, (item) => JSON.stringify(likenessOf(item))).values()] as unknown as [T, ...T[]][]

const sorted = (words: readonly string[]): readonly string[] => [...new Set(words)].sort(compare)

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const byFirst = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => compare(one, other)
