/** What the API server calls one sort of object, and where it serves it. */
export interface Kind {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

export const Secret: Kind = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }
export const Namespace: Kind = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }
export const Lease: Kind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
}

export const apiVersionOf = (kind: Kind): string => (kind.group === '' ? kind.version : `${kind.group}/${kind.version}`)
