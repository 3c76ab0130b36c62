import { describe, expect, test } from 'vitest'
import { CustomResourceDefinition, Event, type Kind, Lease, Namespace, Secret } from './kind.ts'
import { rbacOf } from './rbac.ts'
import type { Right } from './rights.ts'

const Thing: Kind = { group: 'example.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: false }

const rights: readonly Right[] = [
  { kind: Thing, verbs: ['watch', 'get', 'list', 'patch'], where: 'cluster' },
  { kind: Thing, subresource: 'status', verbs: ['patch'], where: 'cluster' },
  { kind: Secret, verbs: ['get', 'list', 'watch', 'create'], where: 'watched' },
  { kind: Secret, verbs: ['get', 'list'], where: 'own' },
  { kind: Namespace, verbs: ['list', 'watch'], where: 'cluster' },
  { kind: Lease, verbs: ['get', 'create', 'patch'], where: 'own' },
  { kind: CustomResourceDefinition, verbs: ['get'], where: 'cluster', names: ['things.example.dev'] },
  { kind: Event, verbs: ['create'], where: { namespace: 'default' } },
]
const inCluster = { own: 'ops', watched: 'all' } as const
const inNamespaces = { own: 'ops', watched: ['team-b', 'team-a'] } as const

type Rbac = ReturnType<typeof rbacOf>[number]

const print = ({ kind, metadata }: Rbac): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

const rulesIn = (objects: readonly Rbac[], role: string): readonly string[] =>
  objects.flatMap((object) =>
    print(object) === role && 'rules' in object
      ? object.rules.map(({ apiGroups, resources, resourceNames = [], verbs }) =>
          `${verbs.join()} ${resources.join()}.${apiGroups.join()} ${resourceNames.join()}`.trim(),
        )
      : [],
  )

describe('an operator of the whole cluster', () => {
  const objects = rbacOf(rights, inCluster)

  test('has one ClusterRole, and Roles only where it has more than that', () => {
    expect(objects.map(print)).toEqual([
      'ClusterRole holdfast:ops',
      'ClusterRoleBinding holdfast:ops',
      'Role default/holdfast:ops',
      'RoleBinding default/holdfast:ops',
      'Role ops/holdfast:ops',
      'RoleBinding ops/holdfast:ops',
    ])
  })

  test('may in every namespace what it may in a watched one', () => {
    expect(rulesIn(objects, 'ClusterRole holdfast:ops')).toEqual([
      'list,watch namespaces.',
      'create,get,list,watch secrets.',
      'get customresourcedefinitions.apiextensions.k8s.io things.example.dev',
      'get,list,patch,watch things.example.dev',
      'patch things/status.example.dev',
    ])
  })

  test('has in its own namespace a Role for what the ClusterRole does not grant', () => {
    expect(rulesIn(objects, 'Role ops/holdfast:ops')).toEqual(['create,get,patch leases.coordination.k8s.io'])
  })

  test('may write events about cluster-scoped objects where Kubernetes keeps them', () => {
    expect(rulesIn(objects, 'Role default/holdfast:ops')).toEqual(['create events.events.k8s.io'])
  })
})

describe('an operator of some namespaces', () => {
  const objects = rbacOf(rights, inNamespaces)

  test('has a Role in each of them, and in its own', () => {
    expect(objects.map(print).filter((line) => line.startsWith('Role '))).toEqual([
      'Role default/holdfast:ops',
      'Role ops/holdfast:ops',
      'Role team-a/holdfast:ops',
      'Role team-b/holdfast:ops',
    ])
    expect(rulesIn(objects, 'Role team-a/holdfast:ops')).toEqual(['create,get,list,watch secrets.'])
    expect(rulesIn(objects, 'Role ops/holdfast:ops')).toEqual([
      'get,list secrets.',
      'create,get,patch leases.coordination.k8s.io',
    ])
  })

  test('may in the whole cluster only what is cluster-scoped, and see only the namespaces that it watches', () => {
    expect(rulesIn(objects, 'ClusterRole holdfast:ops')).toEqual([
      'list,watch namespaces. team-a,team-b',
      'get customresourcedefinitions.apiextensions.k8s.io things.example.dev',
      'get,list,patch,watch things.example.dev',
      'patch things/status.example.dev',
    ])
  })

  test('gets its rights of both where it watches the namespace that it runs in', () => {
    const own = rbacOf(rights, { own: 'ops', watched: ['ops'] })
    expect(rulesIn(own, 'Role ops/holdfast:ops')).toEqual([
      'create,get,list,watch secrets.',
      'create,get,patch leases.coordination.k8s.io',
    ])
  })
})

test('a list of no names grants nothing, though RBAC would read it as every name', () => {
  expect(rbacOf([{ kind: Namespace, verbs: ['list'], where: 'cluster' }], { own: 'ops', watched: [] })).toEqual([])
  expect(rbacOf([{ kind: Secret, verbs: ['get'], where: 'own', names: [] }], inCluster)).toEqual([])
})

test('a right to create that is limited to names is refused: the API server could not keep to it', () => {
  const right: Right = { kind: Lease, verbs: ['get', 'create'], where: 'own', names: ['leader'] }
  expect(() => rbacOf([right], inCluster)).toThrow('the right to create Leases cannot be limited to names')
})

test('rights that differ only in their objects share a rule', () => {
  const objects = rbacOf(
    [
      { kind: Secret, verbs: ['list', 'get'], where: 'own' },
      { kind: { ...Secret, plural: 'configmaps' }, verbs: ['get', 'list'], where: 'own' },
    ],
    inCluster,
  )
  expect(rulesIn(objects, 'Role ops/holdfast:ops')).toEqual(['get,list configmaps,secrets.'])
})

test('the order of rights does not matter', () => {
  for (const scope of [inCluster, inNamespaces])
    expect(rbacOf(rights.toReversed(), scope)).toEqual(rbacOf(rights, scope))
})

test('the roles are bound to the service account in the operator’s namespace', () => {
  const bindings = rbacOf(rights, inNamespaces).filter((object) => 'subjects' in object)
  expect(bindings).toHaveLength(5)
  for (const { subjects, roleRef, kind } of bindings) {
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'holdfast', namespace: 'ops' }])
    expect(`${roleRef.kind}Binding ${roleRef.name}`).toBe(`${kind} holdfast:ops`)
  }
})
