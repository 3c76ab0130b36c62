import { type Kind, Secret } from '../../../src/pure/kind.ts'

const kindOf = (group: string, kind: string, plural: string): Kind => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
})

/** The kinds that operators make most. */
export const kinds = {
  Secret,
  ConfigMap: kindOf('', 'ConfigMap', 'configmaps'),
  StatefulSet: kindOf('apps', 'StatefulSet', 'statefulsets'),
  Deployment: kindOf('apps', 'Deployment', 'deployments'),
  Service: kindOf('', 'Service', 'services'),
  ServiceAccount: kindOf('', 'ServiceAccount', 'serviceaccounts'),
  Role: kindOf('rbac.authorization.k8s.io', 'Role', 'roles'),
  RoleBinding: kindOf('rbac.authorization.k8s.io', 'RoleBinding', 'rolebindings'),
  NetworkPolicy: kindOf('networking.k8s.io', 'NetworkPolicy', 'networkpolicies'),
  Job: kindOf('batch', 'Job', 'jobs'),
} as const

export type KindName = keyof typeof kinds

export const kindNames = Object.keys(kinds) as readonly KindName[]
