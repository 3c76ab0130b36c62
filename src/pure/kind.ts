/** What the API server calls one sort of object, and where it serves it. */
export interface Kind {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  /** Served only where its CustomResourceDefinition is installed. */
  readonly isCustom?: true
}

export const Secret: Kind = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }
export const ConfigMap: Kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
export const Service: Kind = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true }
export const ServiceAccount: Kind = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
}
export const StatefulSet: Kind = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
}
export const Pod: Kind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true }
export const Namespace: Kind = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }
export const Event: Kind = { group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', namespaced: true }
export const CustomResourceDefinition: Kind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
}
export const Lease: Kind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
}

export const apiVersionOf = (kind: Kind): string => (kind.group === '' ? kind.version : `${kind.group}/${kind.version}`)

/** The name of the CustomResourceDefinition that defines a kind. */
export const crdNameOf = ({ plural, group }: Kind): string => `${plural}.${group}`
