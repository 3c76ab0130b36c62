/** Where the API server serves what attacks read and write. Without a name: the collection. */
const below =
  (group: string, plural: string) =>
  (namespace: string, name?: string): string =>
    `${group}/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`

export const secrets = below('/api/v1', 'secrets')
export const configMaps = below('/api/v1', 'configmaps')
export const pods = below('/api/v1', 'pods')
export const quotas = below('/api/v1', 'resourcequotas')
export const statefulSets = below('/apis/apps/v1', 'statefulsets')
export const ledgerServices = below('/apis/ledger.formance.com/v1alpha1', 'ledgerservices')

export const namespaces = (name?: string): string => `/api/v1/namespaces${name === undefined ? '' : `/${name}`}`

export const agents = (name?: string): string =>
  `/apis/ledger.formance.com/v1alpha1/ledgerclusteragents${name === undefined ? '' : `/${name}`}`
